#include "scratchpage/runtime/host/claim_losses.hpp"

#include <algorithm>
#include <chrono>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

constexpr timespan first_start_pause = std::chrono::seconds{1};
constexpr timespan longest_start_pause = std::chrono::minutes{1};
constexpr timespan held_for_long = std::chrono::minutes{10};

} // namespace

void claim_losses::note(const std::string& agent_id, timespan since, timespan now) {
  std::lock_guard lock{guard_};
  std::erase_if(lost_, [&](const auto& x) { return now - x.second.until > held_for_long; });
  auto& x = lost_[agent_id];
  auto is_first = x.pause == timespan{} || now - since > held_for_long;
  x.pause = is_first ? first_start_pause : std::min(2 * x.pause, longest_start_pause);
  x.until = now + x.pause;
}

caf::error claim_losses::check(const std::string& agent_id, timespan now) const {
  std::lock_guard lock{guard_};
  auto found = lost_.find(agent_id);
  return found == lost_.end() ? caf::error{} : check(found->second, now);
}

caf::error claim_losses::check_all(timespan now) const {
  std::lock_guard lock{guard_};
  for (const auto& [id, x] : lost_)
    if (auto err = check(x, now))
      return err;
  return {};
}

caf::error claim_losses::check(const loss& x, timespan now) {
  auto left = x.until - now;
  if (left <= timespan{})
    return {};
  auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return fail(errc::storage_unavailable, "agent",
    "expected an agent of this server, but another one has taken it; this one takes it back when "
    "it is asked in "
      + std::to_string(ms) + " ms");
}

} // namespace scratchpage
