#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"

namespace scratchpage {

/// How one planned call of a turn went, retries and alternatives included.
struct call_record {
  std::string call_id;
  std::string planned_tool; ///< that the plan asked for
  std::string tool_id;      ///< that was called last
  call_outcome outcome = call_outcome::succeeded;
  uint32_t attempts = 1;                    ///< of all tools
  double duration_ms = 0;                   ///< of all attempts
  std::string error;                        ///< of the last failed attempt, "" if none failed
  std::optional<error_class> kind;          ///< of that error
  std::optional<recovery_action> action;    ///< that was planned last
  std::vector<std::string> observation_ids; ///< its error_alerts and recovery_plans

  static constexpr auto fields(auto all) {
    using self = call_record;
    return all(required("call_id", &self::call_id), optional("planned_tool", &self::planned_tool),
      required("tool_id", &self::tool_id), required("outcome", &self::outcome),
      optional("attempts", &self::attempts), optional("duration_ms", &self::duration_ms),
      optional("error", &self::error), optional("error_class", &self::kind),
      optional("action", &self::action), optional("observation_ids", &self::observation_ids));
  }
};

} // namespace scratchpage
