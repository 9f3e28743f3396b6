#pragma once

#include <functional>
#include <map>
#include <string_view>

#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/api/open_answers.hpp"

namespace scratchpage {

/// Whom operations are for. A handle that is not set makes its own `not_found`.
struct operations_parts {
  scratch_page_actor page;
  frontal_cortex_actor goals;
  turns_actor turns;
  working_memory_actor memory;
  scratchbook_actor scratchbooks;
  std::function<operations_actor()> read_trace = {}; ///< makes a TRACE READER; none: none is kept
  std::shared_ptr<telemetry::operation_metrics> metrics = {}; ///< null: nothing is counted
};

struct operations_config {
  double request_ms = 30'000;            ///< how long an operation may take
  double turn_ms = turn_limits::wait_ms; ///< how long a turn may
};

/// The OPERATIONS of one agent: reads arguments strictly, asks whoever is meant, and
/// gives the result as JSON. It keeps nothing but what is asked, so that any number may
/// run beside each other.
class operations_state {
public:
  using handle = operations_actor;
  static constexpr const char* name = "operations";

  operations_state(handle::pointer self, operations_parts parts, operations_config config = {});
  operations_state(const operations_state&) = delete;
  operations_state& operator=(const operations_state&) = delete;
  ~operations_state();

  handle::behavior_type make_behavior();

private:
  using answer = caf::result<operation_answer>;
  using runner = std::function<answer(call_operation&)>;

  answer run(call_operation& x);

  void offer_page();
  void offer_goals();
  void offer_turns();
  void offer_scratchbook();
  answer read_trace(call_operation& x);

  /// A request whose members, without the caller, are the arguments.
  template <class Request, class Answer, class Handle>
  runner passing_on(Handle to, timespan patience);

  template <class Answer, class Handle, class Request>
  answer ask_for(const Handle& to, timespan patience, Request request);

  /// `tell` makes the answer's text.
  template <class Answer, class Handle, class Request, class Tell>
  answer ask_for(const Handle& to, timespan patience, Request request, Tell tell);

  void watch_limits();

  handle::pointer self_;
  operations_parts parts_;
  open_answers open_;
  telemetry::begun_call now_; ///< the call that is looked at
  bool watches_ = false;      ///< limits, for there are open answers
  timespan patience_;
  timespan patience_for_turns_;
  operations_actor trace_reader_; ///< when somebody wanted one
  std::map<std::string_view, runner> runners_;
};

} // namespace scratchpage
