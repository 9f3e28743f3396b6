#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "scratchpage/actors/daemons/consent_hearing.hpp"
#include "scratchpage/actors/daemons/deciding_daemon.hpp"
#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/execution_policy.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// Remembers the latest ids, to notice what is delivered again.
class recent_ids {
public:
  /// Remembers at most `capacity` ids.
  explicit recent_ids(size_t capacity)
    : capacity_{capacity} {}

  /// Adds the id. Returns false if it is known already.
  bool insert(const std::string& id) {
    if (!known_.insert(id).second)
      return false;
    order_.push_back(id);
    if (order_.size() > capacity_) {
      known_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }

private:
  size_t capacity_;
  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> known_;
  std::deque<std::string> order_;
};

/// Limits of the EXECUTOR and of what it adds to the page.
struct executor_config {
  uint64_t result_bytes = 2'048;     ///< of a tool's outputs in the content of a `tool_result`
  double result_ttl_minutes = 1'440; ///< lifetime of a `tool_result`
  double error_ttl_minutes = 60;     ///< lifetime of an `error_alert`
  uint64_t max_executions = 256;     ///< turns that are remembered for recovery plans
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

/// The EXECUTOR: for each `routing_decision` it executes the turn's plan: it asks the Consciousness
/// before a call that touches protected data, calls tools in the order that the plan and the
/// urgency allow, and stores what they report. A failed call becomes an `error_alert` and does not
/// stop the other calls; a `recovery_plan` may restart it. Only the Router and the Error Handler
/// can cause calls. While calls run, the turn is held. A call that needs the user's consent waits
/// as a question on the page, and is made in the turn in which the user agrees.
class executor_state : public deciding_daemon {
public:
  static constexpr const char* name = "executor";
  static std::vector<observation_filter> wanted();

  struct policies {
    executor_config config;
    execution_config execution;
    protected_data_config protected_data;
    consent_config consent;
    policy_choice<executor_policy> plan = {}; ///< without an own one, the turn's plan is executed
  };

  /// Without a semantic memory, no call is changed because of a fact.
  executor_state(handle::pointer self, daemon_setup setup, policies with, toolbox_actor tools,
    consciousness_actor consciousness, semantic_memory_actor facts = {});

private:
  /// The current attempt at a call.
  struct attempt {
    uint32_t number = 1;
    double timeout_ms = 0; ///< 0: the manifest's
    timespan backoff{0};
    bool waits = false;           ///< whether it waits for the end of the backoff
    std::set<std::string> called; ///< tools that have got the call
    std::string alert_id;         ///< the alert about the latest failure, once it is stored
  };

  /// The execution of one turn's plan.
  struct execution {
    caller by; ///< its cause is the routing decision
    observation_ptr input;
    scratchpage::urgency urgency = scratchpage::urgency::low;
    call_plan plan;
    std::map<std::string, manifest_ptr> manifests;
    std::map<std::string, attempt> attempts; ///< by call id
    json::object context;                    ///< of all observations of this execution
    bool consents = false;                   ///< the user agreed to the use of protected data
    consent_hearing hearing;                 ///< the input's answers to questions
    std::vector<planned_call> added;         ///< calls that a policy added to the plan
    std::vector<fact> facts;                 ///< that share a word with the ids of its tools
    uint64_t age = 0;                        ///< the execution with the lowest is dropped first
  };
  using execution_ptr = std::shared_ptr<execution>;

  std::vector<observation_filter> interests() const override { return wanted(); }
  void react(const page_event& event, const ack_guard& done) override;

  // -- a plan begins ----------------------------------------------------------------
  void begin(const page_event& event, const ack_guard& done);
  void read_page(const execution_ptr& x, const ack_guard& done);
  std::vector<observation_filter> what_is_read() const;
  void read_facts(
    const execution_ptr& x, const std::vector<observation_ptr>& live, const ack_guard& done);
  void choose_calls(
    const execution_ptr& x, const std::vector<observation_ptr>& live, const ack_guard& done);
  void take_plan(execution& x, std::vector<planned_call> calls);
  void work_on(
    const execution_ptr& x, const std::vector<observation_ptr>& live, const ack_guard& done);
  void prepare(const execution_ptr& x, const std::vector<observation_ptr>& live);
  void use_suggestions(const execution_ptr& x, const std::vector<observation_ptr>& live);
  void use_facts(const execution_ptr& x);
  void announce(const execution_ptr& x, const ack_guard& done);
  void leave_out_incomplete(const execution_ptr& x);

  // -- answers to questions for consent (executor_consent.cpp) ----------------------------
  void read_questions(const execution_ptr& x, const ack_guard& done);
  void read_named(const execution_ptr& x, const ack_guard& done);
  void read_other_questions(const execution_ptr& x, const ack_guard& done);
  void read_inputs(const execution_ptr& x, const ack_guard& done);
  void read_questions_gone(const execution_ptr& x, timestamp since, const ack_guard& done);
  void read_inputs_gone(const execution_ptr& x, timestamp since, const ack_guard& done);
  void hear_answers(const execution_ptr& x, const ack_guard& done);
  void take_answers(const execution_ptr& x, const ack_guard& done);
  void take_answer(
    const execution_ptr& x, const consent_hearing::answer& answer, const ack_guard& done);
  void tell(const execution_ptr& x, std::optional<observation_draft> what, const ack_guard& done);
  void ask_again(const execution_ptr& x, const observation& asked, const ack_guard& done,
    const std::function<void()>& then);

  // -- questions for consent (executor_consent.cpp) ---------------------------------------
  void settle_question(const caller& by, const observation& asked, const json::object& answer,
    const ack_guard& done, const std::function<void(bool)>& then = {});
  void resolve_question(const caller& by, const observation& asked, const json::object& answer,
    const ack_guard& done, const std::function<void(bool)>& then);
  void claim_question(const update_observation& settled, const ack_guard& done,
    const std::function<void(bool)>& then);
  void resolve_alert(const caller& by, const std::string& alert_id, const ack_guard& done);
  void ask_user(const execution_ptr& x, const planned_call& call, const std::string& alert_id,
    const std::string& reason, const ack_guard& work);

  // -- calls --------------------------------------------------------------------------
  void go_on(const execution_ptr& x, const ack_guard& done);
  void start(const execution_ptr& x, const planned_call& call, const ack_guard& done);
  void check_mandates(const execution_ptr& x, const planned_call& call,
    const protected_access& access, const ack_guard& done);
  void obey(const execution_ptr& x, const planned_call& call, const std::string& alert_id,
    const verdict& answer, const ack_guard& done);
  void look_up(const execution_ptr& x, const planned_call& call, const ack_guard& done);
  void invoke(const execution_ptr& x, const planned_call& call,
    std::vector<scratch_page_entry> context, const ack_guard& done);
  void on_response(const execution_ptr& x, const planned_call& call, caller by,
    const tool_response& response, timespan started, const ack_guard& done);
  void end(const execution_ptr& x, const std::string& call_id, call_outcome outcome,
    const ack_guard& done);

  // -- calls of unknown tools (executor_results.cpp) ---------------------------------------
  using call_list = std::vector<const planned_call*>;
  void refuse_unknown(const execution_ptr& x, const planned_call& call, const ack_guard& done);
  void refuse_unknown_calls(const execution_ptr& x, const ack_guard& done);
  static call_list end_unknown(execution& x);
  void trace_unknown(const execution_ptr& x, const planned_call& call);
  void raise_unknown(const execution_ptr& x, const call_list& calls, const ack_guard& done);

  // -- observations about calls (executor_results.cpp) --------------------------------------
  static json::object about(const planned_call& call);
  static std::string error_text(const tool_response& response);
  void store_result(const execution_ptr& x, const planned_call& call, const caller& by,
    const tool_response& response, double duration_ms, const ack_guard& done);
  void store_reports(const execution_ptr& x, const planned_call& call, caller by,
    const tool_response& response, const ack_guard& done);
  void raise_error(const execution_ptr& x, const planned_call& call, const caller& by,
    const tool_response& response, double duration_ms, const ack_guard& done);

  // -- recovery (executor_results.cpp) ----------------------------------------------------
  void recover(const page_event& event, const ack_guard& done);
  execution_ptr execution_of(const std::string& turn_id) const;
  static caf::error check_call(const execution& x, const observation& plan);
  caf::error check_tool(const execution& x, const observation& plan) const;
  static caf::error check_alert(const execution& x, const observation& plan);
  caf::error check_recovery(const execution& x, const observation& plan) const;
  static void set_attempt(execution& x, const observation& plan, double max_backoff_ms);
  void restart(
    const execution_ptr& x, const std::string& call_id, const caller& by, const ack_guard& done);

  const tool_manifest* manifest_of(const execution& x, const std::string& tool_id) const;
  void remember(const std::string& turn_id, execution_ptr x);

  policies with_;
  execution_policy execution_;
  protected_data_policy protected_data_;
  consent_policy consent_;
  toolbox_actor tools_;
  consciousness_actor consciousness_;
  semantic_memory_actor facts_;
  recent_ids begun_{1'000};                         ///< ids of inputs and of recovery plans
  std::map<std::string, execution_ptr> executions_; ///< by turn id
  std::map<uint64_t, std::string> ages_;            ///< the turn ids, the oldest first
  uint64_t age_ = 0;
};

} // namespace scratchpage
