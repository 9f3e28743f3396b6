#pragma once

#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/actors/policies/ambiguity_policy.hpp"
#include "scratchpage/actors/policies/evaluation_policy.hpp"
#include "scratchpage/actors/policies/execution_policy.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/latency_policy.hpp"
#include "scratchpage/actors/policies/mandates.hpp"
#include "scratchpage/actors/policies/promotion_rules.hpp"
#include "scratchpage/actors/policies/protected_data_policy.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/actors/policies/reflection_policy.hpp"
#include "scratchpage/actors/policies/urgency_policy.hpp"

namespace scratchpage {

/// Everything that can be set, one member a section. The structs have no values
/// of their own: those stand in runtime/defaults.json, with a comment each.
struct config {
  urgency_config urgency;
  ambiguity_config ambiguity;
  execution_config execution;
  protected_data_config protected_data;
  recovery_config recovery;
  evaluation_config evaluation;
  reflection_config reflection;
  latency_config latency;
  promotion_config promotion;
  goal_progress_config goal_progress;
  mandate_config mandates;

  static constexpr auto fields() {
    using self = config;
    return std::make_tuple(required("urgency", &self::urgency),
      required("ambiguity", &self::ambiguity), required("execution", &self::execution),
      required("protected_data", &self::protected_data), required("recovery", &self::recovery),
      required("evaluation", &self::evaluation), required("reflection", &self::reflection),
      required("latency", &self::latency), required("promotion", &self::promotion),
      required("goal_progress", &self::goal_progress), required("mandates", &self::mandates));
  }
};

/// Ranges and whatever else a type does not say; the error names the path.
caf::error validate(const config& x);

/// The configuration that is built in.
const config& default_config();

/// Reads a user's file over the built-in configuration: objects are merged at
/// any depth, lists and values replace, null takes a member away. JSON, where
/// comments and a comma before a closing bracket are allowed. An error names
/// the path of what is unknown, malformed or out of range.
caf::expected<config> load_config(std::string_view user_json_text);

/// The effective values as JSON, which `load_config` reads again.
std::string dump_config(const config& x);

/// The built-in file itself, comments included.
std::string_view default_config_text();

} // namespace scratchpage
