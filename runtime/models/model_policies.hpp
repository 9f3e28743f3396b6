#pragma once

#include <memory>

#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/models/gate.hpp"
#include "scratchpage/runtime/models/model_config.hpp"
#include "scratchpage/runtime/models/prompts.hpp"

namespace scratchpage::models {

/// What the policies of one agent share.
struct policy_parts {
  model_config config;
  recovery_config recovery; ///< of the rules, which limit what a model may plan
  std::shared_ptr<const prompt_set> prompts;
  std::shared_ptr<const pii_masker> masker; ///< masks what models are told; null: nothing is masked
};

/// Adds a policy that asks through the gate for each daemon that is to ask a model. A policy of the
/// embedding program stays. `to.within` becomes longer than the deadline for models.
void add_policies(policy_factories& to, const policy_parts& parts, const model_gate& gate);

} // namespace scratchpage::models
