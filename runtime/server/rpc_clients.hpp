#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::serve {

/// Who speaks JSON-RPC on a WebSocket, and how much they wait for, so that an end can
/// say goodbye and wait. May be used from any thread.
class rpc_clients {
public:
  /// A client's number; `say_end` is called once, when the end begins, or at once if it
  /// has.
  uint64_t join(std::function<void()> say_end);
  void leave(uint64_t client);

  /// False if the end has begun: nothing more is to be begun then.
  bool begin_call();
  void end_call();

  void begin_to_end();

  /// Waits until all have left and nothing is worked on.
  bool await_none(timespan within);

private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<uint64_t, std::function<void()>> clients_;
  uint64_t last_ = 0;
  size_t calls_ = 0;
  bool ends_ = false;
};

} // namespace scratchpage::serve
