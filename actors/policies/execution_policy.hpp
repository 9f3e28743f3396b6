#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

struct execution_config {
  uint32_t parallel_limit;                     ///< calls at a time when urgency is high
  double capture_threshold;                    ///< minimum confidence of reports; 0 keeps all
  std::vector<std::string> verification_tags;  ///< tags of manifests of tools that verify
  std::vector<std::string> verification_tools; ///< patterns of their ids
  std::vector<std::string> confirmation_types; ///< while one is live, these tools go first
  double fact_confidence;                      ///< minimum of a fact that changes a call
  double timeout_factor; ///< of the manifest's timeout, if a fact says that more time helps
  double max_timeout_ms; ///< upper bound of such a timeout

  static constexpr auto fields(auto all) {
    using self = execution_config;
    return all(required("parallel_limit", &self::parallel_limit),
      required("capture_threshold", &self::capture_threshold),
      required("verification_tags", &self::verification_tags),
      required("verification_tools", &self::verification_tools),
      required("confirmation_types", &self::confirmation_types),
      required("fact_confidence", &self::fact_confidence),
      required("timeout_factor", &self::timeout_factor),
      required("max_timeout_ms", &self::max_timeout_ms));
  }
};

caf::error validate(const execution_config& x, std::string_view path);

/// What a fact says about a call.
struct fact_advice {
  std::string fact_id;
  std::string prefer;    ///< the tool to call instead; "": the planned one
  double timeout_ms = 0; ///< of the first attempt; 0: the manifest's
};

/// The Executor's rules about the order of calls and about which reports it stores (contract 7).
class execution_policy {
public:
  explicit execution_policy(execution_config config)
    : config_{std::move(config)} {}

  /// How many calls may run at a time: 1 unless urgency is high.
  size_t parallel_limit(urgency level) const;

  /// The types of live observations that tell how a plan is executed.
  std::vector<std::string> live_types() const;

  /// Whether the plan's verification tools go first.
  bool verifies_first(const std::vector<observation_ptr>& live) const;

  /// If `manifest` is null, only the tool's id counts.
  bool is_verification(const planned_call& call, const tool_manifest* manifest) const;

  /// Whether a tool's report with this confidence is stored. A report without a confidence is.
  bool captures(std::optional<double> confidence) const;

  /// What the surest of the facts says about a call of this tool: that more time helps it ("weather
  /// sometimes times out, retry with a longer timeout helps"), or that an alternative of its
  /// manifest is better ("cache can stand in for weather when that times out", "Use cache instead
  /// of weather"). Facts that have ended or are less sure than configured say nothing.
  std::optional<fact_advice> advice(const tool_manifest& of, const std::vector<fact>& facts) const;

  /// The least confidence of facts that are of use.
  double fact_confidence() const { return config_.fact_confidence; }

private:
  execution_config config_;
};

struct protected_data_config {
  std::vector<std::string> permissions; ///< of manifests; patterns
  std::vector<std::string> tags;        ///< of manifests; patterns
  std::vector<std::string> tools;       ///< ids; patterns
  std::vector<std::string> inputs;      ///< names of a call's inputs; patterns

  static constexpr auto fields(auto all) {
    using self = protected_data_config;
    return all(required("permissions", &self::permissions), required("tags", &self::tags),
      required("tools", &self::tools), required("inputs", &self::inputs));
  }
};

caf::error validate(const protected_data_config& x, std::string_view path);

/// Why a call touches protected data.
struct protected_access {
  bool touches = false;
  std::vector<std::string> tags;    ///< the permissions, tags and inputs that matched, each once
  std::vector<std::string> reasons; ///< for people, one for each match
};

/// Decides whether a call touches protected data (contract 7, Executor). If so, there is a
/// `security_alert`, and the Consciousness is asked.
class protected_data_policy {
public:
  explicit protected_data_policy(protected_data_config config)
    : config_{std::move(config)} {}

  /// If `manifest` is null, only the call itself counts.
  protected_access assess(const planned_call& call, const tool_manifest* manifest) const;

private:
  protected_data_config config_;
};

} // namespace scratchpage
