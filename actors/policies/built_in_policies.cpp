#include "scratchpage/actors/policies/built_in_policies.hpp"

#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/policies/evaluation_policy.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/actors/policies/reflection_policy.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"

namespace scratchpage {

std::shared_ptr<router_policy> built_in_router(const urgency_config& config) {
  return policy_of<router_policy>([rules = urgency_policy{config}](const routing_case& x) {
    return rules.assess(x.input->content, x.live);
  });
}

std::shared_ptr<clarifier_policy> built_in_clarifier(const ambiguity_config& config) {
  return policy_of<clarifier_policy>([rules = ambiguity_policy{config}](const clarifying_case& x) {
    return rules.questions(x.input->content, x.plan, x.tools, x.answers_earlier, x.earlier);
  });
}

std::shared_ptr<executor_policy> built_in_executor() {
  return policy_of<executor_policy>([](const execution_case& x) { return x.plan; });
}

std::shared_ptr<error_handler_policy> built_in_error_handler(const recovery_config& config) {
  return policy_of<error_handler_policy>([rules = recovery_policy{config}](const recovery_case& x) {
    return rules.decide(x.what, x.tool ? &*x.tool : nullptr, x.attempts);
  });
}

std::shared_ptr<evaluator_policy> built_in_evaluator(const evaluation_config& config) {
  return policy_of<evaluator_policy>(
    [rules = evaluation_policy{config}](const evaluation_input& x) { return rules.evaluate(x); });
}

shared_policies::shared_policies(const urgency_config& urgency, const ambiguity_config& ambiguity,
  const recovery_config& recovery, const evaluation_config& evaluation)
  : router{built_in_router(urgency)},
    clarifier{built_in_clarifier(ambiguity)},
    error_handler{built_in_error_handler(recovery)},
    evaluator{built_in_evaluator(evaluation)} {}

/// The rules are not copied: their index points into their list.
std::shared_ptr<reflector_policy> built_in_reflector(const reflection_config& config) {
  auto rules = std::make_shared<reflection_policy>(config);
  return policy_of<reflector_policy>([rules](const turn_story& x) { return rules->reflect(x); });
}

} // namespace scratchpage
