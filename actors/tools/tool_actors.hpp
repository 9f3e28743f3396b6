#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <caf/disposable.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/tools/child_process.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Calls a C++ function, one call at a time. It is the worker of a SERIAL TOOL, which limits the
/// queue and keeps the deadlines.
class function_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "function_tool";

  function_tool_state(handle::pointer self, std::string tool_id, tool_function call);

  handle::behavior_type make_behavior();

private:
  tool_response call(const tool_request& request) const;

  std::string tool_id_;
  tool_function call_;
};

/// Sends requests to a program and waits for its answers. It is the worker of a SERIAL TOOL, on its
/// own thread. If the program ends before it answers, it is started and asked once more, provided
/// that the tool is idempotent or the program has not read the request. A program whose answer is
/// late, too long, not JSON or for another request is ended.
class process_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "process_tool";

  process_tool_state(handle::pointer self, tool_manifest manifest, const process_tool& tool,
    std::shared_ptr<child_interrupt> interrupt);

  handle::behavior_type make_behavior();

private:
  tool_response call(tool_request& request);
  tool_response read_answer(const tool_request& request, const std::string& line);
  tool_response failure(
    const tool_request& request, tool_failure why, const std::string& text) const;

  tool_manifest manifest_;
  size_t max_line_bytes_;
  child_process child_;
};

/// A recorded tool's answer, and how long it takes.
struct recorded_answer {
  tool_response response;
  timespan latency{0};
};

/// Picks the recorded answer for each call. Equal calls get equal answers: the latency depends only
/// on the seed, the tool, the request id and the attempt.
class recorded_answers {
public:
  recorded_answers(tool_manifest manifest, recorded_tool recording, uint64_t seed);

  recorded_answer next(const tool_request& request);

private:
  using response_list = std::vector<size_t>; ///< indexes in `recording_.responses`

  const recorded_response* peek(const tool_request& request);
  void use_up(const tool_request& request);
  const recorded_fault* fault_for(
    const tool_request& request, const recorded_response* recorded) const;
  recorded_answer faulty(const tool_request& request, const recorded_fault& fault) const;
  timespan latency_of(const tool_request& request, const recorded_response& recorded) const;
  const response_list* named(const std::string& request_id) const;

  tool_manifest manifest_;
  recorded_tool recording_;
  uint64_t seed_;
  std::map<std::string, response_list, std::less<>> by_call_;
  std::map<std::string, size_t> place_of_; ///< by request id: which answer of its call it got
  std::map<std::string, size_t, std::less<>> used_by_call_;
  response_list in_order_; ///< answers without a call id
  size_t used_in_order_ = 0;
};

/// The RECORDED TOOL: gives recorded answers after their latency.
class recorded_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "recorded_tool";

  recorded_tool_state(
    handle::pointer self, tool_manifest manifest, recorded_tool recording, uint64_t seed);

  handle::behavior_type make_behavior();

private:
  caf::result<tool_response> call(const tool_request& request);

  handle::pointer self_;
  size_t max_pending_;
  recorded_answers answers_;
  std::map<uint64_t, caf::typed_response_promise<tool_response>> pending_;
  uint64_t last_ = 0;
};

/// The worker of a SERIAL TOOL. It makes one call at a time, and may block.
struct serial_worker {
  tool_actor actor;
  /// Makes the worker answer its current call soon, as timed out; empty if that is not possible.
  /// Called on another thread than the worker's.
  std::function<void()> cancel;
  /// As `cancel`, when the tool ends.
  std::function<void()> stop;
};

/// The SERIAL TOOL: the queue of a worker that may block. At most `max_queued` calls wait. Each is
/// answered at its timeout, whatever the worker does; a call that times out in the queue is not
/// made. The tool and its worker end together.
class serial_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "serial_tool";

  /// `work` counts the calls until the worker is free again.
  serial_tool_state(handle::pointer self, tool_manifest manifest, size_t max_queued,
    serial_worker worker, work_count work = {});
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
  std::map<uint64_t, call> calls_; ///< calls that are not answered yet, by number
  std::deque<uint64_t> waiting_;
  uint64_t running_ = 0; ///< 0: the worker is free
  uint64_t last_ = 0;
  work_flag works_;
};

} // namespace scratchpage
