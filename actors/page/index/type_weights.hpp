#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// How much an observation matters by its type: the first key of priority
/// (contract 3) and of eviction. Higher matters more.
struct type_weights {
  std::map<std::string, int64_t> weights{
    {"security_alert", 100},
    {"risk_alert", 95},
    {"alert", 90},
    {"error_alert", 85},
    {"pending_confirmation", 80},
    {"recovery_plan", 70},
    {"constraint_check", 65},
    {"reminder", 60},
    {"dependency", 55},
    {"user_input", 50},
    {"action_suggestion", 50},
    {"execution_plan", 45},
    {"routing_decision", 40},
    {"contextual_insight", 40},
    {"pattern_detected", 35},
    {"learning", 35},
    {"evaluation_result", 30},
    {"tool_result", 20},
  };
  int64_t default_weight = 30; ///< of every other type

  int64_t of(const std::string& type) const {
    auto i = weights.find(type);
    return i != weights.end() ? i->second : default_weight;
  }

  static constexpr auto fields(auto all) {
    return all(optional("weights", &type_weights::weights),
      optional("default_weight", &type_weights::default_weight));
  }
};

} // namespace scratchpage
