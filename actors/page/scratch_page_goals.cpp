#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "scratchpage/actors/page/page_access.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal_limits.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/observation_size.hpp"

namespace scratchpage {

caf::expected<scratch_page_state::plan<linked_observations>> scratch_page_state::plan_link(
  link_observations& request) {
  auto operation = request.undo ? "unlink_observation" : "link_observation";
  if (auto err = daemons_only(request.by, "link observations"))
    return refuse("link_observation", request.by, err);
  plan<linked_observations> result{operation, {}, {}};
  std::set<std::string_view> named;
  for (const auto& id : request.observation_ids) {
    auto current = find_current(id);
    if (!current || !named.insert(id).second)
      continue;
    result.answer.observation_ids.push_back(id);
    auto x = *current;
    auto& linked = x.linked_goal_ids;
    auto known = std::find(linked.begin(), linked.end(), request.goal_id);
    if ((known != linked.end()) != request.undo)
      continue;
    if (request.undo)
      linked.erase(known);
    else
      linked.push_back(request.goal_id);
    x.linked_to_goal = !linked.empty();
    x.updated_at = to_milliseconds(now());
    ++x.revision;
    result.todo.push_back({event_kind::linked, *number_of(id), observation_ptr{std::move(x)},
      {{"goal_id", request.goal_id}}});
  }
  std::vector<uint64_t> numbers;
  for (const auto& x : result.todo)
    numbers.push_back(x.number);
  result.afterwards = [this, goal_id = request.goal_id, undo = request.undo, numbers] {
    note_links(goal_id, undo, numbers);
  };
  return result;
}

void scratch_page_state::note_links(
  const std::string& goal_id, bool undo, const std::vector<uint64_t>& numbers) {
  for (auto number : numbers) {
    if (undo)
      no_evidence(goal_id, number);
    else
      protect_as_evidence(goal_id, number);
  }
}

/// What is evidence of an open goal is never evicted, but for what is beyond the share of its
/// source, which anybody can make evidence by naming the goal.
void scratch_page_state::protect_as_evidence(const std::string& goal_id, uint64_t number) {
  auto x = index_.find(number);
  auto goal = protected_by_goal_.try_emplace(goal_id).first;
  if (x && may_protect(goal->second, number, *x)) {
    goal->second.insert(number);
    update_protection(number, *x);
  } else if (goal->second.empty()) {
    protected_by_goal_.erase(goal);
  }
}

bool scratch_page_state::may_protect(
  const std::set<uint64_t>& evidence, uint64_t number, const observation& x) {
  if (evidence.size() >= goal_limits::observations)
    return false;
  if (is_evidence(number, x))
    return true;
  auto share = shares_.of(x.source);
  auto more = is_open(number, x) ? 0 : memory_of(x); // the bytes of others count already
  return evidence_by(share) < setup_.limits.max_protected_per_source
         && has_room_for_evidence(share, more);
}

void scratch_page_state::no_evidence(const std::string& goal_id, uint64_t number) {
  auto goal = protected_by_goal_.find(goal_id);
  if (goal == protected_by_goal_.end() || goal->second.erase(number) == 0)
    return;
  if (goal->second.empty())
    protected_by_goal_.erase(goal);
  unprotect(number);
}

caf::error scratch_page_state::unprotect(const goal_closed& request) {
  if (auto err = daemons_only(request.by, "close goals"))
    return refuse("goal_closed", request.by, err);
  auto node = protected_by_goal_.extract(request.goal_id);
  auto numbers = node.empty() ? std::set<uint64_t>{} : std::move(node.mapped());
  trace_.write(
    "goal_closed", request.by, {{"goal_id", request.goal_id}, {"observations", numbers.size()}});
  for (auto number : numbers)
    unprotect(number);
  return {};
}

/// Lets it be evicted again, unless there is another reason not to.
void scratch_page_state::unprotect(uint64_t number) {
  if (auto x = index_.find(number))
    update_protection(number, *x);
}

} // namespace scratchpage
