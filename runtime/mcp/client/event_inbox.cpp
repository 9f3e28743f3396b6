#include "scratchpage/runtime/mcp/client/event_inbox.hpp"

#include <utility>

namespace scratchpage::mcp_client {

event_inbox::event_inbox(size_t max_bytes, std::function<void()> wake)
  : max_bytes_{max_bytes},
    wake_{std::move(wake)} {}

bool event_inbox::put(transport_event x) {
  constexpr size_t overhead = 256; // of an event without any text
  auto size = x.text.size() + overhead;
  auto was_empty = false;
  {
    std::unique_lock guard{mutex_};
    room_.wait(guard, [&] { return closed_ || events_.empty() || bytes_ + size <= max_bytes_; });
    if (closed_)
      return false;
    was_empty = events_.empty();
    bytes_ += size;
    events_.push_back(std::move(x));
  }
  if (was_empty)
    wake_();
  return true;
}

std::vector<transport_event> event_inbox::take() {
  std::lock_guard guard{mutex_};
  bytes_ = 0;
  room_.notify_all();
  return std::exchange(events_, {});
}

void event_inbox::close() {
  std::lock_guard guard{mutex_};
  closed_ = true;
  room_.notify_all();
}

} // namespace scratchpage::mcp_client
