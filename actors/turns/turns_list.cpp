#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "scratchpage/actors/turns/turns.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// A turn is open until its story is committed, and may be read of before: it is listed as
/// the ended one that it is, and once.
void append_ended(turn_list& to, turn_list found, size_t limit) {
  std::set<std::string_view> ended;
  for (const auto& x : found.turns)
    ended.insert(x.turn_id);
  std::erase_if(to.turns, [&](const turn_summary& open) { return ended.contains(open.turn_id); });
  auto has_room_for_all = to.turns.size() + found.turns.size() <= limit;
  if (has_room_for_all)
    to.next_before = found.next_before;
  for (auto& x : found.turns) {
    if (to.turns.size() >= limit)
      return;
    to.turns.push_back(std::move(x));
  }
}

} // namespace

caf::result<turn_list> turns_state::list(const list_turns& request) {
  if (request.by.role == role::tool)
    return fail(errc::forbidden, "by.role", "a tool may not list turns");
  if (request.limit < 1 || request.limit > list_turns::most)
    return fail(errc::invalid_request, "limit",
      "expected a number from 1 to " + std::to_string(list_turns::most));
  turn_list first;
  if (!request.before)
    first.turns = open_turns();
  first.turns.resize(std::min<size_t>(first.turns.size(), request.limit));
  if (first.turns.size() == request.limit)
    return first;
  auto answer = self_->make_response_promise<turn_list>();
  ask(self_, episodes_, patience(), list_turns{request})
    .then(
      [answer, all = std::move(first), limit = request.limit](turn_list& found) mutable {
        append_ended(all, std::move(found), limit);
        answer.deliver(std::move(all));
      },
      [answer](const caf::error& err) mutable { answer.deliver(err); });
  return answer;
}

/// The last first.
std::vector<turn_summary> turns_state::open_turns() const {
  std::vector<turn_summary> result;
  for (const auto& [id, x] : running_) {
    auto& one = result.emplace_back();
    one.turn_id = id;
    one.thread_id = x->request.thread_id;
    one.user_id = x->request.user_id;
    one.input = utf8::prefix(x->request.input, turn_summary::input_bytes);
    one.status = x->is_held ? turn_status::held : turn_status::running;
    one.started_at = x->result.started_at;
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return std::tie(a.started_at, a.turn_id) > std::tie(b.started_at, b.turn_id);
  });
  return result;
}

} // namespace scratchpage
