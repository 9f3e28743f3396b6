#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/policies/built_in_policies.hpp"
#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage::bench {

/// A turn as the policies see it.
struct told_turn {
  routing_case routing;
  clarifying_case clarifying;
  std::string before; ///< the agent's last response
  std::string response;
  std::vector<recovery_case> failures;
  evaluation_input evaluating;
  turn_story story;
};

/// The turns of files of conversations or scenarios. The error says what is wrong with a file.
caf::expected<std::vector<told_turn>> read_told_turns(
  const std::vector<std::filesystem::path>& files);

/// All policies of one agent.
class deciding {
public:
  /// Decides everything that the daemons decide in this turn.
  void decide(const told_turn& x);

private:
  config config_ = default_config();
  std::shared_ptr<router_policy> router_ = built_in_router(config_.urgency);
  std::shared_ptr<clarifier_policy> clarifier_ = built_in_clarifier(config_.ambiguity);
  std::shared_ptr<error_handler_policy> error_handler_ = built_in_error_handler(config_.recovery);
  std::shared_ptr<evaluator_policy> evaluator_ = built_in_evaluator(config_.evaluation);
  std::shared_ptr<reflector_policy> reflector_ = built_in_reflector(config_.reflection);
  promotion_rules promotion_{config_.promotion};
};

} // namespace scratchpage::bench
