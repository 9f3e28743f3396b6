#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <caf/expected.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/work_marks.hpp"
#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"

namespace scratchpage {

/// The answers that an actor owes, each with a timeout. The timeouts are checked once a second,
/// because a timer for each would wake CAF's clock twice for every request.
class open_answers {
public:
  using promise = caf::typed_response_promise<operation_answer>;

  static constexpr timespan step = std::chrono::seconds{1};

  /// `metrics` counts the calls; null: they are not counted. `work` counts them while they are
  /// open.
  explicit open_answers(
    std::shared_ptr<telemetry::operation_metrics> metrics = nullptr, work_count work = {})
    : metrics_{std::move(metrics)},
      work_{std::move(work)} {}

  /// Adds an answer that is owed, and gives its number. It times out after `timeout`, at most a
  /// step later.
  uint64_t begin(promise x, timespan timeout, telemetry::begun_call what = {});

  /// Whether the answer is still owed; if not, it need not be made.
  bool is_open(uint64_t number) const { return open_.contains(number); }

  /// Sends the answer, unless it has timed out.
  void deliver(uint64_t number, operation_answer x);
  void refuse(uint64_t number, const caf::error& why);

  /// To be called after each step: answers that have timed out become `deadline_exceeded`.
  void advance();

  bool empty() const { return open_.empty(); }

private:
  struct entry {
    promise to;
    uint64_t until; ///< in steps
    telemetry::begun_call what;
    work_mark works;
  };

  std::optional<promise> take(uint64_t number, errc how);
  void count(const telemetry::begun_call& x, errc how);

  std::shared_ptr<telemetry::operation_metrics> metrics_;
  work_count work_;

  std::map<uint64_t, entry> open_;
  uint64_t last_ = 0;
  uint64_t steps_ = 0;
};

/// The actors that operations are sent to. Operations of a handle that is not set do not exist.
struct operations_parts {
  scratch_page_actor page;
  frontal_cortex_actor goals;
  turns_actor turns;
  working_memory_actor memory;
  scratchbook_actor scratchbooks;
  semantic_memory_actor facts = {};
  episodic_memory_actor episodes = {};
  memories_actor memories = {};
  std::function<operations_actor()> read_trace = {}; ///< spawns a TRACE READER; empty: no traces
  std::shared_ptr<telemetry::operation_metrics> metrics = {}; ///< null: calls are not counted
  /// Spawns a HISTORY READER; empty: the agent is not stored.
  std::function<operations_actor()> read_history = {};
  work_count work = {}; ///< counts the calls under way
};

struct operations_config {
  double request_ms = 30'000;            ///< timeout of an operation
  double turn_ms = turn_limits::wait_ms; ///< timeout of an operation that waits for a turn
};

/// An actor that reads, and the permit for one read.
struct permitted_reader {
  operations_actor reader;
  std::shared_ptr<const void> permit; ///< to keep until the reader has answered
};

/// The OPERATIONS of one agent: finds the operation of a call in the list and runs its handler,
/// which reads the arguments strictly, asks an actor, and gives the result as JSON. It has no state
/// but the calls in progress, so an agent may have several of them.
class operations_state {
public:
  using handle = operations_actor;
  static constexpr const char* name = "operations";

  operations_state(handle::pointer self, operations_parts parts, operations_config config = {});
  operations_state(const operations_state&) = delete;
  operations_state& operator=(const operations_state&) = delete;
  ~operations_state();

  handle::behavior_type make_behavior();

  // -- for handlers
  /// A promise for an answer, and its number in `open()`. It times out.
  std::pair<open_answers::promise, uint64_t> owe_answer(bool of_turn);

  open_answers& open() { return open_; }
  const operations_parts& parts() const { return parts_; }
  handle::pointer self() const { return self_; }

  /// The actor that reads the traces of turns. Errors: `not_found` about `turn_id` if no traces are
  /// kept, `overloaded` if the system has no thread.
  caf::expected<operations_actor> trace_reader();

  /// The actor that reads pages of the past, and a permit to keep until it has answered. Errors:
  /// `not_found` if no history is kept, `overloaded` if the system has no thread, or too many reads
  /// wait.
  caf::expected<permitted_reader> history_reader();

private:
  using answer = caf::result<operation_answer>;

  answer run(const operation* what, call_operation& x);
  void watch_limits();

  handle::pointer self_;
  operations_parts parts_;
  open_answers open_;
  telemetry::begun_call now_; ///< the call that is being handled
  bool watches_ = false;      ///< a timer for timeouts is set
  timespan request_timeout_;
  timespan turn_timeout_;
  operations_actor trace_reader_;                ///< spawned when it is needed first
  operations_actor history_reader_;              ///< likewise
  std::shared_ptr<http::counter> history_reads_; ///< that wait or run
};

/// The TRACE READER: reads the traces of turns for the OPERATIONS of an agent. It waits for a disk
/// or a server, so it has to be spawned detached.
class trace_reader_state {
public:
  using handle = operations_actor;
  static constexpr const char* name = "trace_reader";

  trace_reader_state(handle::pointer, std::shared_ptr<stored_trace> trace)
    : trace_{std::move(trace)} {}

  handle::behavior_type make_behavior();

private:
  template <class Query, class Read>
  caf::result<operation_answer> answer_with(call_operation& x, Read read);

  std::shared_ptr<stored_trace> trace_;
};

} // namespace scratchpage
