#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "scratchpage/runtime/mcp/client/transport.hpp"

namespace scratchpage::mcp_client {

/// What a connection's transport told and its actor has not taken yet. Bounded:
/// a server that says more waits.
class event_inbox {
public:
  /// `wake` is called, on the teller's thread, when there is something to take.
  event_inbox(size_t max_bytes, std::function<void()> wake);

  /// Waits while the inbox is full; false once it is closed.
  bool put(transport_event x);

  /// Everything that is there.
  std::vector<transport_event> take();

  /// Nothing is taken any more. Whoever waits goes on.
  void close();

private:
  size_t max_bytes_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::vector<transport_event> events_;
  size_t bytes_ = 0;
  bool closed_ = false;
};

} // namespace scratchpage::mcp_client
