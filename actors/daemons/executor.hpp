#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/recent_ids.hpp"
#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/execution_policy.hpp"
#include "scratchpage/actors/policies/protected_data_policy.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// How the EXECUTOR writes down what it does.
struct executor_config {
  uint64_t result_bytes = 2'048;     ///< of a tool's outputs in a `tool_result`'s content
  double result_ttl_minutes = 1'440; ///< of a `tool_result`
  double error_ttl_minutes = 60;     ///< of an `error_alert`
  uint64_t max_executions = 256;     ///< turns remembered for a late recovery
  double max_backoff_ms = 60'000;    ///< longest pause before a retry

  static constexpr auto fields(auto all) {
    using self = executor_config;
    return all(optional("result_bytes", &self::result_bytes),
      optional("result_ttl_minutes", &self::result_ttl_minutes),
      optional("error_ttl_minutes", &self::error_ttl_minutes),
      optional("max_executions", &self::max_executions),
      optional("max_backoff_ms", &self::max_backoff_ms));
  }
};

/// The EXECUTOR: for each `routing_decision` it works the turn's plan: asks the
/// Consciousness before it touches protected data, calls tools in the order
/// that the plan and the urgency allow, and stores what they report. A failure
/// becomes an `error_alert`, and the rest goes on; a `recovery_plan` may bring a
/// call back. It obeys the Router and the Error Handler, and no other agent. While calls run it
/// holds the turn. A call that the user must be asked about waits as a question on the page, and is
/// made in the turn that agrees to it.
class executor_state : public daemon {
public:
  static constexpr const char* name = "executor";

  struct policies {
    executor_config config;
    execution_config execution;
    protected_data_config protected_data;
    consent_config consent;
  };

  executor_state(handle::pointer self, daemon_setup setup, policies with, toolbox_actor tools,
    consciousness_actor consciousness);

private:
  /// How a call is to be made this time.
  struct attempt {
    uint32_t number = 1;
    double timeout_ms = 0; ///< 0: the manifest's
    timespan backoff{0};
    bool waits = false;           ///< for the end of the backoff
    std::set<std::string> called; ///< tools that were given the call
    std::string alert_id;         ///< of the latest failure, as soon as that is stored
  };

  /// A call that the user has agreed to, and where.
  struct confirmed_call {
    planned_call call;
    std::string question_id;
  };

  /// One turn's work.
  struct execution {
    caller by; ///< its cause is the routing decision
    observation_ptr input;
    scratchpage::urgency urgency = scratchpage::urgency::low;
    call_plan plan;
    std::map<std::string, manifest_ptr> manifests;
    std::map<std::string, attempt> attempts; ///< by call
    json::object context;                    ///< of everything that is published here
    bool consents = false;                   ///< the user agreed to the use of protected data
    std::vector<observation_ptr> asked;      ///< questions for consent that are open
    std::vector<observation_ptr> again;      ///< those that this turn has put once more
    std::vector<observation_ptr> questions;  ///< of anybody, while answers are read
    std::vector<observation_ptr> inputs;     ///< of the thread, while answers are read
    std::vector<std::string> named;          ///< questions that the input names by their ids
    std::vector<std::string> unheard;        ///< questions that it answers and does not settle
    std::vector<std::string> waiting;        ///< questions that its words answer in vain
    std::vector<confirmed_call> granted;     ///< by this turn's input
    std::map<std::string, confirmed_call> confirmed; ///< the same, by the call of this turn
    std::vector<planned_call> resumed;               ///< those that this turn did not plan
    uint64_t age = 0;                                ///< for forgetting the oldest
  };
  using execution_ptr = std::shared_ptr<execution>;

  std::vector<observation_filter> interests() const override;
  void react(const page_event& event, const token& done) override;

  // -- a plan begins ----------------------------------------------------------------
  void begin(const page_event& event, const token& done);
  void read_page(const execution_ptr& x, const token& done);
  void prepare(const execution_ptr& x, const std::vector<observation_ptr>& live);
  void use_suggestions(const execution_ptr& x, const std::vector<observation_ptr>& live);
  void announce(const execution_ptr& x, const token& done);
  void leave_out_incomplete(const execution_ptr& x);

  // -- answers to questions (executor_answers.cpp) ----------------------------------------
  void read_questions(const execution_ptr& x, const token& done);
  void read_named(const execution_ptr& x, size_t at, const token& done);
  void read_other_questions(const execution_ptr& x, const token& done);
  void read_inputs(const execution_ptr& x, const token& done);
  void read_questions_gone(const execution_ptr& x, timestamp since, const token& done);
  void read_inputs_gone(const execution_ptr& x, timestamp since, const token& done);
  void hear_answers(const execution_ptr& x, const token& done);
  void take_answers(
    const execution_ptr& x, const std::vector<consent>& said, size_t at, const token& done);
  void take_answer(
    const execution_ptr& x, const observation& asked, consent said, const token& done);
  void go_on_without_answered(
    const execution_ptr& x, const std::vector<consent>& said, const token& done);
  void tell_unheard(const execution_ptr& x, const token& done);
  void tell(const execution_ptr& x, std::string content, const token& done);
  void ask_again(const execution_ptr& x, const observation& asked, const token& done,
    const std::function<void()>& then);

  // -- consent (executor_consent.cpp) ---------------------------------------------------
  void settle_question(const caller& by, const observation& asked, const json::object& answer,
    const token& done, const std::function<void(bool)>& then = {});
  void resolve_question(const caller& by, const observation& asked, const json::object& answer,
    const token& done, const std::function<void(bool)>& then);
  void claim_question(
    const update_observation& settled, const token& done, const std::function<void(bool)>& then);
  void resolve_alert(const caller& by, const std::string& alert_id, const token& done);
  void resume_calls(const execution_ptr& x);
  const confirmed_call* confirmation_of(const execution& x, const planned_call& call) const;
  void ask_user(const execution_ptr& x, const planned_call& call, const std::string& alert_id,
    const std::string& reason, const token& work);

  // -- calls --------------------------------------------------------------------------
  void go_on(const execution_ptr& x, const token& done);
  void start(const execution_ptr& x, const planned_call& call, const token& done);
  void check_mandates(const execution_ptr& x, const planned_call& call,
    const protected_access& access, const token& done);
  void obey(const execution_ptr& x, const planned_call& call, const std::string& alert_id,
    const verdict& answer, const token& done);
  void look_up(const execution_ptr& x, const planned_call& call, const token& done);
  void invoke(const execution_ptr& x, const planned_call& call,
    std::vector<scratch_page_entry> context, const token& done);
  void on_response(const execution_ptr& x, const planned_call& call, caller by,
    const tool_response& response, timespan started, const token& done);
  void end(
    const execution_ptr& x, const std::string& call_id, call_outcome outcome, const token& done);

  // -- calls of tools that nobody knows (executor_unknown.cpp) ----------------------------
  using call_list = std::vector<const planned_call*>;
  void refuse_unknown(const execution_ptr& x, const planned_call& call, const token& done);
  void refuse_unknown_calls(const execution_ptr& x, const token& done);
  static call_list end_unknown(execution& x);
  void trace_unknown(const execution_ptr& x, const planned_call& call);
  void raise_unknown(const execution_ptr& x, const call_list& calls, const token& done);

  // -- what is written ------------------------------------------------------------------
  static json::object about(const planned_call& call);
  static std::string error_text(const tool_response& response);
  void store_result(const execution_ptr& x, const planned_call& call, const caller& by,
    const tool_response& response, double duration_ms, const token& done);
  void store_reports(const execution_ptr& x, const planned_call& call, caller by,
    const tool_response& response, const token& done);
  void raise_error(const execution_ptr& x, const planned_call& call, const caller& by,
    const tool_response& response, double duration_ms, const token& done);

  // -- recovery (executor_recovery.cpp) ---------------------------------------------------
  void recover(const page_event& event, const token& done);
  execution_ptr execution_of(const std::string& turn_id) const;
  static caf::error check_call(const execution& x, const observation& plan);
  caf::error check_tool(const execution& x, const observation& plan) const;
  static caf::error check_alert(const execution& x, const observation& plan);
  caf::error check_recovery(const execution& x, const observation& plan) const;
  static void set_attempt(execution& x, const observation& plan, double max_backoff_ms);
  void restart(
    const execution_ptr& x, const std::string& call_id, const caller& by, const token& done);

  const tool_manifest* manifest_of(const execution& x, const std::string& tool_id) const;
  void remember(const std::string& turn_id, execution_ptr x);

  policies with_;
  execution_policy execution_;
  protected_data_policy protected_data_;
  consent_policy consent_;
  toolbox_actor tools_;
  consciousness_actor consciousness_;
  recent_ids begun_{1'000};                         ///< inputs, and the Error Handler's plans
  std::map<std::string, execution_ptr> executions_; ///< by turn
  uint64_t age_ = 0;
};

} // namespace scratchpage
