#include "scratchpage/runtime/server/rpc_clients.hpp"

#include <utility>
#include <vector>

namespace scratchpage::serve {

uint64_t rpc_clients::join(std::function<void()> say_end) {
  uint64_t number = 0;
  {
    std::lock_guard lock{guard_};
    number = ++last_;
    clients_.emplace(number, say_end);
    if (!ends_)
      return number;
  }
  say_end();
  return number;
}

void rpc_clients::leave(uint64_t client) {
  std::lock_guard lock{guard_};
  clients_.erase(client);
  changed_.notify_all();
}

bool rpc_clients::begin_call() {
  std::lock_guard lock{guard_};
  calls_ += ends_ ? 0 : 1;
  return !ends_;
}

void rpc_clients::end_call() {
  std::lock_guard lock{guard_};
  --calls_;
  changed_.notify_all();
}

void rpc_clients::begin_to_end() {
  std::vector<std::function<void()>> all;
  {
    std::lock_guard lock{guard_};
    if (std::exchange(ends_, true))
      return;
    all.reserve(clients_.size());
    for (const auto& [number, say_end] : clients_)
      all.push_back(say_end);
  }
  for (const auto& say_end : all)
    say_end();
}

bool rpc_clients::await_none(timespan within) {
  std::unique_lock lock{guard_};
  return changed_.wait_for(lock, within, [this] { return calls_ == 0 && clients_.empty(); });
}

} // namespace scratchpage::serve
