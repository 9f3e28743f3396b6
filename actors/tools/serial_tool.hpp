#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

#include <caf/disposable.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

/// Who does the work, one call at a time, and may block.
struct serial_worker {
  tool_actor actor;
  /// Makes the worker answer what it works on soon, as timed out; empty if it
  /// cannot. Called from another thread than the worker's.
  std::function<void()> cancel;
  /// As above, when nothing more is wanted of it.
  std::function<void()> stop;
};

/// The SERIAL TOOL: keeps the queue of a worker that may block. At most
/// `max_queued` calls wait; each is answered at its timeout, whatever the
/// worker does, and one that waited that long is never begun. It and its worker
/// end together.
class serial_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "serial_tool";

  serial_tool_state(
    handle::pointer self, tool_manifest manifest, size_t max_queued, serial_worker worker);
  ~serial_tool_state();

  handle::behavior_type make_behavior();

private:
  using promise = caf::typed_response_promise<tool_response>;

  struct call {
    tool_request request;
    promise answer;
    caf::disposable timer;
  };

  caf::result<tool_response> accept(tool_request request);
  void start_next();
  void on_answer(uint64_t number, tool_response response);
  void on_deadline(uint64_t number);
  void answer(uint64_t number, tool_response response);

  handle::pointer self_;
  tool_manifest manifest_;
  size_t max_queued_;
  serial_worker worker_;
  std::map<uint64_t, call> calls_; ///< not yet answered
  std::deque<uint64_t> waiting_;
  uint64_t running_ = 0; ///< 0: the worker is free
  uint64_t last_ = 0;
};

} // namespace scratchpage
