#include "scratchpage/actors/policies/built_in_policies.hpp"

#include <utility>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/policies/evaluation_policy.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/actors/policies/reflection_policy.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"

namespace scratchpage {

namespace {

/// Keeps what its rules remember while its agent is at rest.
class remembering_reflector : public reflector_policy {
public:
  remembering_reflector(
    const reflection_config& config, std::shared_ptr<keepsakes> kept, uint32_t place)
    : rules_{config},
      kept_{std::move(kept)},
      place_{place} {
    if (!kept_)
      return;
    if (auto before = kept_->take<reflection_policy::memory>(place_))
      rules_.remember(std::move(*before));
  }
  remembering_reflector(const remembering_reflector&) = delete;
  remembering_reflector& operator=(const remembering_reflector&) = delete;

  ~remembering_reflector() override {
    if (!kept_ || kept_->is_dropped())
      return;
    auto now = rules_.take_memory();
    auto bytes = now.bytes();
    kept_->put(std::move(now), bytes, place_);
  }

  void decide(const turn_story& what, answer decided) override { decided(rules_.reflect(what)); }

private:
  reflection_policy rules_;
  std::shared_ptr<keepsakes> kept_;
  uint32_t place_;
};

} // namespace

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

std::shared_ptr<reflector_policy> built_in_reflector(
  const reflection_config& config, std::shared_ptr<keepsakes> kept, uint32_t place) {
  return std::make_shared<remembering_reflector>(config, std::move(kept), place);
}

} // namespace scratchpage
