#include "scratchpage/runtime/host/roster.hpp"

#include <algorithm>
#include <utility>

#include <caf/send.hpp>

#include "scratchpage/runtime/host/ensemble_calls.hpp"

namespace scratchpage {

roster::roster(std::shared_ptr<void> token)
  : token_{std::move(token)} {}

void roster::add(caf::actor x) {
  hold_until_end(token_, x);
  std::lock_guard lock{guard_};
  if (has_ended_)
    caf::anon_send_exit(x, caf::exit_reason::user_shutdown);
  else
    all_.push_back(std::move(x));
}

void roster::join(std::string name) {
  std::lock_guard lock{guard_};
  team_.push_back(std::move(name));
}

void roster::leave(const std::string& name) {
  std::lock_guard lock{guard_};
  team_.erase(std::remove(team_.begin(), team_.end(), name), team_.end());
}

std::vector<std::string> roster::team() const {
  std::lock_guard lock{guard_};
  return team_;
}

void roster::end() {
  std::lock_guard lock{guard_};
  has_ended_ = true;
  for (auto i = all_.rbegin(); i != all_.rend(); ++i)
    caf::anon_send_exit(*i, caf::exit_reason::user_shutdown);
}

} // namespace scratchpage
