#include "scratchpage/actors/turns/turn_askers.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// Calls from outside are looked at once a second, and are over by then.
constexpr timespan longest_wait =
  std::chrono::milliseconds{turn_limits::wait_ms} + std::chrono::seconds{2};

caf::error too_many(size_t most, const std::string& whose) {
  return fail(errc::overloaded, "turn_id",
    "expected at most " + std::to_string(most) + " calls" + whose + " that wait for one turn");
}

} // namespace

caf::error turn_askers::join(promise to, const std::optional<caller>& by, timespan now) {
  end_overdue(now);
  make_way_for(by);
  if (later_.size() >= turn_limits::askers)
    return too_many(turn_limits::askers, "");
  later_.push_back({std::move(to), by, now});
  return {};
}

/// What nobody waits for any more is not written as an answer either.
void turn_askers::end_overdue(timespan now) {
  std::erase_if(later_, [&](asker& x) {
    auto is_over = x.by && x.by->outside && now - x.since > longest_wait;
    if (is_over)
      x.to.deliver(fail(errc::deadline_exceeded, "turn_id", "expected the turn to end in time"));
    return is_over;
  });
}

void turn_askers::make_way_for(const std::optional<caller>& by) {
  auto is_theirs = [&](const asker& x) { return counts_with(x.by, by); };
  auto count = std::count_if(later_.begin(), later_.end(), is_theirs);
  if (static_cast<size_t>(count) < turn_limits::askers_of_one)
    return;
  auto first = std::find_if(later_.begin(), later_.end(), is_theirs);
  first->to.deliver(too_many(turn_limits::askers_of_one, " of " + principal_of(*by)));
  later_.erase(first);
}

bool turn_askers::answer_beginner(turn_result early) {
  if (!beginner_)
    return false;
  std::exchange(beginner_, std::nullopt)->deliver(std::move(early));
  return true;
}

void turn_askers::deliver(const turn_result& x) {
  deliver_all(x);
}

void turn_askers::deliver(const caf::error& x) {
  deliver_all(x);
}

template <class T>
void turn_askers::deliver_all(const T& x) {
  if (auto first = std::exchange(beginner_, std::nullopt))
    first->deliver(x);
  for (auto& one : std::exchange(later_, {}))
    one.to.deliver(x);
}

} // namespace scratchpage
