#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/policies/decisions.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/time.hpp"

/// The interfaces of policies that the embedding program can replace; it gives a factory for each
/// of its own. decisions.hpp has the decisions.

namespace scratchpage {

/// Makes one kind of decision for one daemon.
template <class Question, class Decision>
class decision_policy {
public:
  using question = Question;
  using decision = Decision;

  /// Takes the decision. It may be called later, and on any thread. The first call counts, and
  /// further calls do nothing. If all copies of it are destroyed without a call, the built-in
  /// policy decides at once.
  using answer = std::function<void(Decision)>;

  virtual ~decision_policy() = default;

  /// The daemon calls this on its own thread, for one question after the other, and does not wait:
  /// a policy that needs time returns and calls `decided` later. The next question may come
  /// before that. `what` is valid during the call only. If this throws, the exception is traced and
  /// the built-in policy decides. It also decides if the page would refuse the decision, because a
  /// text is blank, too long or not UTF-8, a number is not one, or a type is unknown; the trace
  /// then has an entry `decide` that names the member of the observation.
  virtual void decide(const Question& what, answer decided) = 0;
};

/// A policy that knows its decision at once: `decide(what)` returns it.
template <class Policy, class F>
std::shared_ptr<Policy> policy_of(F decide) {
  class immediate : public Policy {
  public:
    explicit immediate(F decide)
      : decide_{std::move(decide)} {}

    void decide(const typename Policy::question& what, typename Policy::answer decided) override {
      decided(decide_(what));
    }

  private:
    F decide_;
  };
  return std::make_shared<immediate>(std::move(decide));
}

/// What the Router knows when it decides how urgent an input is.
struct routing_case {
  observation_ptr input;             ///< the `user_input`
  std::vector<observation_ptr> live; ///< of the page, in any order and of any type
  caller by = {}; ///< the daemon in its turn, and the trace entry that led to the question
};

/// What the Clarifier knows when it decides what to ask the user.
struct clarifying_case {
  observation_ptr input;
  std::vector<planned_call> plan; ///< of the turn
  manifest_list tools;            ///< all tools
  bool answers_earlier = false;   ///< whether the input answers an earlier question
  /// What the user and the agent said before in the thread, the newest last, as far as the page
  /// still has it; at most `earlier_texts`.
  std::vector<std::string> earlier = {};
  caller by = {}; ///< the daemon in its turn, and the trace entry that led to the question

  static constexpr size_t earlier_texts = 12;
};

/// What the Error Handler knows when it decides what to do about a failure.
struct recovery_case {
  failure what;
  observation_ptr alert;             ///< the `error_alert`
  std::optional<tool_manifest> tool; ///< the tool that failed; nothing if it is unknown
  unsigned attempts = 1;             ///< of this tool for this call, the failed one included
  caller by = {}; ///< the daemon in its turn, and the trace entry that led to the question
};

/// What the Executor knows when it decides which calls to make.
struct execution_case {
  observation_ptr input;
  scratchpage::urgency urgency = scratchpage::urgency::low;
  std::vector<planned_call> plan;    ///< of the turn; each call has its id
  manifest_list tools;               ///< all tools
  std::vector<observation_ptr> live; ///< of the page
};

using router_policy = decision_policy<routing_case, urgency_assessment>;
/// Decides what to ask. It does not decide whether an input answers an earlier question or consents
/// to a call.
using clarifier_policy = decision_policy<clarifying_case, std::vector<question>>;
/// Decides which calls to make. Mandates, the user's consent and the check for lacking inputs apply
/// to each of them. A call that is not in the turn's plan needs an id that the plan does not have,
/// or none if the plan is empty. A call of the plan that is left out counts as skipped.
using executor_policy = decision_policy<execution_case, std::vector<planned_call>>;
using error_handler_policy = decision_policy<recovery_case, recovery>;
using evaluator_policy = decision_policy<evaluation_input, evaluation>;
using reflector_policy = decision_policy<turn_story, std::vector<turn_lesson>>;

/// Makes the policy of one daemon when the team is spawned. `built_in` is the policy that the
/// daemon would have otherwise; a policy that decides only some cases can pass it the others. It is
/// not thread-safe, and is for this policy alone.
template <class Policy>
using policy_factory = std::function<std::shared_ptr<Policy>(std::shared_ptr<Policy> built_in)>;

/// Factories of the embedding program; for one that is empty, the built-in policy is used.
struct policy_factories {
  policy_factory<router_policy> router;
  policy_factory<clarifier_policy> clarifier;
  policy_factory<executor_policy> executor;
  policy_factory<error_handler_policy> error_handler;
  policy_factory<evaluator_policy> evaluator;
  policy_factory<reflector_policy> reflector;
  /// How long a decision may take. After that the built-in policy decides, and the trace has an
  /// entry `decide` with the status `deadline_exceeded`.
  timespan within = std::chrono::seconds{20};
};

} // namespace scratchpage
