#pragma once

#include <cstdint>
#include <memory>

#include "scratchpage/actors/policies/policies.hpp"

/// The policies that daemons use unless the embedding program replaces them: rules and word lists,
/// which decide at once.

namespace scratchpage {

class keepsakes; // actors/base/keepsakes.hpp
struct urgency_config;
struct ambiguity_config;
struct recovery_config;
struct evaluation_config;
struct reflection_config;

std::shared_ptr<router_policy> built_in_router(const urgency_config& config);
std::shared_ptr<clarifier_policy> built_in_clarifier(const ambiguity_config& config);
/// Makes the calls of the turn's plan, unchanged.
std::shared_ptr<executor_policy> built_in_executor();
std::shared_ptr<error_handler_policy> built_in_error_handler(const recovery_config& config);
std::shared_ptr<evaluator_policy> built_in_evaluator(const evaluation_config& config);

/// The built-in policies that remember nothing: all agents with one configuration may share them.
struct shared_policies {
  shared_policies(const urgency_config& urgency, const ambiguity_config& ambiguity,
    const recovery_config& recovery, const evaluation_config& evaluation);

  std::shared_ptr<router_policy> router;
  std::shared_ptr<clarifier_policy> clarifier;
  std::shared_ptr<error_handler_policy> error_handler;
  std::shared_ptr<evaluator_policy> evaluator;
};

/// Counts across turns, beginning with the first turn that it is given. What it remembers it keeps
/// in `kept`, at this place, when it ends, and takes it from there; null: nowhere.
std::shared_ptr<reflector_policy> built_in_reflector(
  const reflection_config& config, std::shared_ptr<keepsakes> kept = nullptr, uint32_t place = 0);

} // namespace scratchpage
