#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/base/tracer.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Which proposals a mandate applies to. An empty member matches anything.
struct mandate_match {
  std::vector<std::string> actions;           ///< any of "tool_call" and "goal"
  std::vector<std::string> subjects;          ///< any of these; `*` stands for any text
  std::vector<std::string> tags_any;          ///< any of these; `*` as above
  std::map<std::string, json::value> details; ///< dotted path to value; all have to be equal

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
  bool unless_user_consents = false; ///< the rule is skipped if the user has consented

  static constexpr auto fields(auto all) {
    using self = mandate;
    return all(required("id", &self::id), required("match", &self::match),
      required("verdict", &self::verdict), required("reason", &self::reason),
      optional("unless_user_consents", &self::unless_user_consents));
  }
};

struct mandate_config {
  std::vector<mandate> rules; ///< the first match decides; without a match, it is allowed

  static constexpr auto fields(auto all) { return all(required("rules", &mandate_config::rules)); }
};

caf::error validate(const mandate_config& x, std::string_view path);

/// Decides whether a proposal is allowed.
class mandates {
public:
  explicit mandates(mandate_config config)
    : config_{std::move(config)} {}

  /// Without a matching rule the verdict is `allow`, with an empty `mandate_id`. A rule that asks
  /// the user is skipped once the user has confirmed this very action.
  verdict judge(const proposal& x) const;

private:
  mandate_config config_;
};

/// The CONSCIOUSNESS: judges proposals by its mandates (contract 8).
class consciousness_state {
public:
  using handle = consciousness_actor;
  static constexpr const char* name = "consciousness";

  consciousness_state(handle::pointer self, const agent_context& agent, mandate_config config);

  handle::behavior_type make_behavior();

private:
  mandates mandates_;
  tracer trace_;
};

/// Asks the CONSCIOUSNESS about observations that join an existing goal (contract 8). Mandates
/// match a goal's tags and context, and both grow when observations join.
class goal_judge {
public:
  using on_verdict = std::function<void(const caf::expected<verdict>&)>;

  goal_judge(
    frontal_cortex_actor::pointer self, consciousness_actor consciousness, timespan timeout)
    : self_{self},
      consciousness_{std::move(consciousness)},
      timeout_{timeout} {}

  /// Judges the change of the goal `now` to `next`, which gains the `tags`. Calls `then` once; at
  /// once, with `allow`, if the goal gains neither tags nor a name. The verdict is `ask_user` only
  /// if the change is the reason for it: the goal before the change has been judged already, and
  /// a person may have confirmed it.
  void judge(const caller& by, const goal& now, const goal& next,
    const std::vector<std::string>& tags, const on_verdict& then) const;

private:
  void ask_without_change(
    const caller& by, const goal& now, const verdict& said, const on_verdict& then) const;

  frontal_cortex_actor::pointer self_;
  consciousness_actor consciousness_;
  timespan timeout_;
};

} // namespace scratchpage
