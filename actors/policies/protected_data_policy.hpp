#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

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
  std::vector<std::string> tags;    ///< permissions, tags and inputs that say so, each once
  std::vector<std::string> reasons; ///< for people, one for each of them
};

/// Whether a call touches protected data (contract 7, Executor): then there is
/// a `security_alert`, and the Consciousness is asked.
class protected_data_policy {
public:
  explicit protected_data_policy(protected_data_config config)
    : config_{std::move(config)} {}

  /// `manifest` may be null; then only the call itself counts.
  protected_access assess(const planned_call& call, const tool_manifest* manifest) const;

  bool touches(const planned_call& call, const tool_manifest* manifest) const {
    return assess(call, manifest).touches;
  }

private:
  protected_data_config config_;
};

} // namespace scratchpage
