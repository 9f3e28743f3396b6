#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/actors/daemons/clarifier_config.hpp"
#include "scratchpage/actors/daemons/deciding_daemon.hpp"
#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/policies/consent_policy.hpp"
#include "scratchpage/actors/policies/latency_policy.hpp"
#include "scratchpage/actors/policies/policies.hpp"

namespace scratchpage {

/// The ROUTER: for each `user_input` it reads the live alerts and confirmations
/// and publishes a `routing_decision` with the urgency and its reasons. It also
/// asks the page to offer candidates for goals again.
class router_state : public deciding_daemon {
public:
  static constexpr const char* name = "router";
  static std::vector<observation_filter> wanted();

  /// `read` selects the observations that the built-in policy reads. An own policy gets all.
  router_state(handle::pointer self, daemon_setup setup, policy_choice<router_policy> policy,
    observation_filter read = {});

private:
  std::vector<observation_filter> interests() const override { return wanted(); }
  void react(const page_event& event, const ack_guard& done) override;
  void route(
    caller by, const observation& input, const urgency_assessment& decided, const ack_guard& done);

  policy_choice<router_policy> policy_;
  observation_filter read_;
};

/// The CLARIFIER: for each `routing_decision` it checks whether the input is ambiguous or a planned
/// call lacks inputs, and publishes a `pending_confirmation` for each question. It also resolves
/// earlier questions that the input answers: those that a person names with `context.answers`, else
/// the questions of the thread. A question that names an action of a goal is resolved only by words
/// that can mean no other question. Questions for consent are left to the EXECUTOR.
class clarifier_state : public deciding_daemon {
public:
  static constexpr const char* name = "clarifier";
  static std::vector<observation_filter> wanted();

  clarifier_state(handle::pointer self, daemon_setup setup, const ambiguity_config& config,
    consent_config consent, policy_choice<clarifier_policy> policy, toolbox_actor tools,
    clarifier_config limits = {});

private:
  /// What it reads before it decides about one input.
  struct reading {
    caller by;
    observation_ptr input;
    manifest_list manifests;
    std::vector<observation_ptr> confirmations;
    bool is_partial = false; ///< the query for questions ran out of time
    bool knows_all = false;  ///< no question is missing, for whatever reason
    bool is_answer = false;  ///< whether the input can be an answer at all
    /// The first two questions that the input may mean: enough to tell whether it means only one.
    std::vector<std::string> meant;
    /// Questions that are not for consent and that the user may have in mind: one of each turn, by
    /// turn id, and the latest of all.
    std::map<std::string, observation_ptr> on_their_mind;
    observation_ptr latest_on_their_mind;
    /// Questions for consent that the user may have in mind, from two different turns each: open
    /// ones, and those that are no longer open.
    std::vector<observation_ptr> for_consent;
    std::vector<observation_ptr> for_consent_before;
    /// The question about an action of a goal that the words may answer, if there is one. `gone`
    /// has questions that have left the page and may be meant instead; `last_spoke` is when the
    /// speaker spoke before in the thread.
    observation_ptr about_action;
    std::vector<observation_ptr> gone;
    std::optional<timestamp> last_spoke;
    std::vector<planned_call> plan;
    size_t not_settled = 0;           ///< answers that the page has not yet accepted or refused
    bool answers_earlier = false;     ///< whether the input answers an earlier question
    std::vector<std::string> earlier; ///< texts of the thread, the newest last
  };
  using reading_ptr = std::shared_ptr<reading>;

  std::vector<observation_filter> interests() const override { return wanted(); }
  void react(const page_event& event, const ack_guard& done) override;
  void read_confirmations(const reading_ptr& x, const ack_guard& done);
  void read_last_words(const reading_ptr& x, const ack_guard& done);
  void read_gone(const reading_ptr& x, list_archive which, const ack_guard& done,
    const std::function<void()>& then);
  void read_manifests(const reading_ptr& x, const ack_guard& done);
  void clarify(const reading_ptr& x, const ack_guard& done);
  void weigh(reading& x) const;
  static observation_ptr asked_about_action(const reading& x);
  void take_answers(const reading_ptr& x, const ack_guard& done);
  void read_response_of(const page_event& event, const ack_guard& done);
  void withdraw_own(const page_event& event, const ack_guard& done);
  void take_replies(const reading_ptr& x, const ack_guard& done);
  void settled(const reading_ptr& x, const ack_guard& done);
  void read_earlier(const reading_ptr& x, const ack_guard& done);
  void ask_what_is_unclear(const reading_ptr& x, const ack_guard& done);
  static bool may_be_answered(const reading& x, const observation& asked);
  bool is_consent_or_refusal(const reading& x, const observation_ptr& asked) const;
  static std::vector<observation_ptr> rivals_of(const reading& x, const observation_ptr& asked);
  bool is_answer(const reading& x, const observation& asked) const;
  static bool means_no_other(const reading& x, const observation& asked);
  void take_answer(const reading_ptr& x, const observation& asked, const ack_guard& done);
  void ask_user(const reading_ptr& x, const question& what, const ack_guard& done);

  policy_choice<clarifier_policy> policy_;
  ambiguity_policy ambiguity_;
  consent_policy consent_;
  toolbox_actor tools_;
  uint32_t give_up_after_turns_;
};

/// The ERROR HANDLER: for each `error_alert` it reads the earlier alerts of the same source about
/// that call and publishes one `recovery_plan`: retry, alternative, partial success, escalate, or
/// fail gracefully. Only a plan about an alert of the Executor names a call in its metadata.
class error_handler_state : public deciding_daemon {
public:
  static constexpr const char* name = "error_handler";
  static std::vector<observation_filter> wanted();

  error_handler_state(handle::pointer self, daemon_setup setup,
    policy_choice<error_handler_policy> policy, toolbox_actor tools);

private:
  std::vector<observation_filter> interests() const override { return wanted(); }
  void react(const page_event& event, const ack_guard& done) override;
  void plan(const caller& by, const observation_ptr& alert,
    const std::vector<observation_ptr>& earlier, const manifest_list& tools, const ack_guard& done);
  void publish_plan(caller by, const observation& alert, const failure& what,
    const recovery& decided, const ack_guard& done);

  policy_choice<error_handler_policy> policy_;
  toolbox_actor tools_;
};

/// The EVALUATOR: when the page is quiet for a turn after its execution, it compares what was
/// asked with what happened, resolves or sends back observations under review, and publishes an
/// `evaluation_result`.
class evaluator_state : public deciding_daemon {
public:
  static constexpr const char* name = "evaluator";
  static std::vector<observation_filter> wanted();

  /// `longest_turn` is how long it waits for a turn to become quiet.
  evaluator_state(handle::pointer self, daemon_setup setup, policy_choice<evaluator_policy> policy,
    timespan longest_turn);

private:
  struct heard_input {
    page_event event;
    timespan at; ///< steady time
  };

  std::vector<observation_filter> interests() const override { return wanted(); }
  void react(const page_event& event, const ack_guard& done) override;
  void read(const heard_input& input, const ack_guard& work);
  void evaluate(const heard_input& input, const turn_so_far& turn,
    const std::vector<observation_ptr>& pending, const ack_guard& work);
  void judge(const page_event& heard, const std::vector<call_record>& calls,
    const evaluation& decided, const ack_guard& work);
  void settle_reviews(const caller& by, const std::vector<review>& reviews, const ack_guard& work);

  policy_choice<evaluator_policy> policy_;
  timespan longest_turn_;
};

/// The REFLECTOR: after each `evaluation_result` of the Evaluator it reads the turn, publishes its
/// lessons (`learning`, `pattern_detected`) and archives resolved observations. Semantic memory
/// makes facts from the `learning` observations.
class reflector_state : public deciding_daemon {
public:
  static constexpr const char* name = "reflector";
  static std::vector<observation_filter> wanted();

  reflector_state(handle::pointer self, daemon_setup setup, policy_choice<reflector_policy> policy);
  ~reflector_state() override;

private:
  std::vector<observation_filter> interests() const override { return wanted(); }
  void react(const page_event& event, const ack_guard& done) override;
  void hear(const page_event& evaluation, const turn_so_far& turn, const ack_guard& done);
  std::vector<observation_ptr> new_reports(const query_result& found);
  void reflect(const page_event& evaluation, const turn_so_far& turn,
    std::vector<observation_ptr> heard, const ack_guard& done);
  void archive_resolved(const caller& by, const ack_guard& done);

  /// What is kept during a rest, beside the memory of the policy.
  struct kept_hearing {
    uint64_t last_heard;
  };

  policy_choice<reflector_policy> policy_;
  uint64_t last_heard_ = 0; ///< the number of the latest report from outside that was read
};

/// The SYSTEM ANALYZER (optional): when measurements are added, it reads the latencies and failures
/// on the page and publishes an `action_suggestion`, such as to prefer a faster tool. It does not
/// repeat a suggestion that is live. After each look it pauses (`analysis_limits::pause`);
/// measurements that are added meanwhile are read in the next look, and no turn waits for it.
class system_analyzer_state : public daemon {
public:
  static constexpr const char* name = "system_analyzer";
  static std::vector<observation_filter> wanted(const latency_config& with);

  system_analyzer_state(
    handle::pointer self, daemon_setup setup, latency_config config, toolbox_actor tools);

private:
  enum class state : uint8_t { idle, looking, resting };

  /// One look. The batch that led to it is acknowledged when the last pointer to it is gone.
  struct look;
  using look_ptr = std::shared_ptr<look>;

  std::vector<observation_filter> interests() const override { return wanted(config_); }
  void react(const page_event& event, const ack_guard& done) override;
  void begin_look(const ack_guard& done);
  void read_tools(const look_ptr& x);
  void read_suggestions(const look_ptr& x);
  void publish_new(const look_ptr& x, const std::vector<observation_ptr>& live);
  void rest();

  latency_config config_;
  latency_policy policy_;
  toolbox_actor tools_;
  state state_ = state::idle;
  std::optional<caller> wanted_; ///< set if another look is needed: who it is traced for
  work_flag works_;              ///< unless idle
};

/// The filters that select the events of all daemons of the team. `wanted` of a daemon gives its
/// own, which it returns as `interests`.
std::vector<observation_filter> wanted_by_team(const latency_config& with);

} // namespace scratchpage
