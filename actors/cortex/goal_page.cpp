#include "scratchpage/actors/cortex/goal_page.hpp"

#include <algorithm>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/filter_limits.hpp"
#include "scratchpage/messages/json/json_size.hpp"

namespace scratchpage {

namespace {

bool is_wanted(const goal& x, const list_goals& request) {
  const auto& status = request.status;
  return status.empty() || std::find(status.begin(), status.end(), x.status) != status.end();
}

caf::error check_limit(const list_goals& request) {
  if (!request.limit || (*request.limit >= 1 && *request.limit <= list_goals::most))
    return {};
  return fail(errc::invalid_request, "limit",
    "expected 1 to " + std::to_string(list_goals::most) + ", got "
      + std::to_string(*request.limit));
}

/// About how many bytes a goal takes in an answer.
size_t bytes_of(const goal& x) {
  auto result = sizeof(goal) + x.goal_id.size() + x.title.size() + x.description.size()
                + json_size(x.context, answer_limits::bytes);
  for (const auto& id : x.observation_ids)
    result += id.size() + sizeof(id);
  for (const auto& one : x.evidence)
    result += one.observation_id.size() + one.content.size() + one.source.size() + sizeof(one);
  for (const auto& one : x.pending_actions)
    result += one.action_id.size() + one.description.size() + sizeof(one);
  return result;
}

/// Puts one more goal into the answer, if it has room.
bool take(goal_list& to, const goal& x, const list_goals& request, size_t& bytes) {
  if (request.limit) {
    bytes += bytes_of(x);
    auto is_full = to.goals.size() >= *request.limit || bytes > answer_limits::bytes;
    if (is_full && !to.goals.empty()) {
      to.next_cursor = to.goals.back().goal_id;
      return false;
    }
  }
  to.goals.push_back(x);
  return true;
}

} // namespace

caf::expected<goal_list> page_of(const std::vector<const goal*>& all, const list_goals& request) {
  if (auto err = check_limit(request))
    return err;
  auto is_last = [&](const goal* x) { return x->goal_id == request.cursor; };
  auto from = request.cursor.empty() ? all.begin() : std::find_if(all.begin(), all.end(), is_last);
  if (from == all.end() && !request.cursor.empty())
    return fail(errc::invalid_request, "cursor",
      "expected the next_cursor of an answer whose goals are kept");
  if (!request.cursor.empty())
    ++from;
  auto wanted = [&](const goal* x) { return is_wanted(*x, request); };
  goal_list result;
  result.total_count = std::count_if(all.begin(), all.end(), wanted);
  size_t bytes = 0;
  for (; from != all.end(); ++from)
    if (wanted(*from) && !take(result, **from, request, bytes))
      break;
  return result;
}

} // namespace scratchpage
