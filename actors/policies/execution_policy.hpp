#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

struct execution_config {
  uint32_t parallel_limit;                     ///< calls at a time when urgency is high
  double capture_threshold;                    ///< confidence; 0 keeps all
  std::vector<std::string> verification_tags;  ///< of manifests
  std::vector<std::string> verification_tools; ///< patterns of tool ids
  std::vector<std::string> confirmation_types; ///< while one is live, verify first

  static constexpr auto fields(auto all) {
    using self = execution_config;
    return all(required("parallel_limit", &self::parallel_limit),
      required("capture_threshold", &self::capture_threshold),
      required("verification_tags", &self::verification_tags),
      required("verification_tools", &self::verification_tools),
      required("confirmation_types", &self::confirmation_types));
  }
};

caf::error validate(const execution_config& x, std::string_view path);

/// The Executor's decisions about order and about what it keeps (contract 7).
class execution_policy {
public:
  explicit execution_policy(execution_config config)
    : config_{std::move(config)} {}

  /// How many calls may run at a time: 1 unless urgency is high.
  size_t parallel_limit(urgency level) const;

  /// Whether the plan's verification tools go first.
  bool verifies_first(const std::vector<observation_ptr>& live) const;

  /// `manifest` may be null; then only the tool's id counts.
  bool is_verification(const planned_call& call, const tool_manifest* manifest) const;

  /// Whether what a tool reports with this confidence is stored; one without a
  /// confidence always is.
  bool captures(std::optional<double> confidence) const;

private:
  execution_config config_;
};

} // namespace scratchpage
