#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

/// What a mandate is about. An empty member matches anything.
struct mandate_match {
  std::vector<std::string> actions;           ///< "tool_call", "goal": any of
  std::vector<std::string> subjects;          ///< any of; `*` stands for any text
  std::vector<std::string> tags_any;          ///< at least one of; patterns, too
  std::map<std::string, json::value> details; ///< dotted path to value: all equal

  static constexpr auto fields(auto all) {
    using self = mandate_match;
    return all(optional("actions", &self::actions), optional("subjects", &self::subjects),
      optional("tags_any", &self::tags_any), optional("details", &self::details));
  }
};

/// One rule of the Consciousness (contract 8).
struct mandate {
  std::string id;
  mandate_match match;
  verdict_kind verdict = verdict_kind::allow;
  std::string reason;
  bool unless_user_consents = false; ///< with the user's consent the next rule decides

  static constexpr auto fields(auto all) {
    using self = mandate;
    return all(required("id", &self::id), required("match", &self::match),
      required("verdict", &self::verdict), required("reason", &self::reason),
      optional("unless_user_consents", &self::unless_user_consents));
  }
};

struct mandate_config {
  std::vector<mandate> rules; ///< the first that matches decides; none: allowed

  static constexpr auto fields(auto all) { return all(required("rules", &mandate_config::rules)); }
};

caf::error validate(const mandate_config& x, std::string_view path);

/// The Consciousness's decision: may somebody do what they propose?
class mandates {
public:
  explicit mandates(mandate_config config)
    : config_{std::move(config)} {}

  /// With no rule that matches: allowed, and `mandate_id` is "". A rule that
  /// wants the user asked hands over once they confirmed this very action.
  verdict judge(const proposal& x) const;

private:
  mandate_config config_;
};

} // namespace scratchpage
