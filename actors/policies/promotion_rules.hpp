#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"

namespace scratchpage {

/// A first step of a goal that a rule makes. The description is a template.
struct action_template {
  std::string action_type;
  std::string description;
  assignee assigned_to = assignee::agent;
  scratchpage::priority priority = scratchpage::priority::medium;
  bool requires_confirmation = false;

  static constexpr auto fields(auto all) {
    using self = action_template;
    return all(required("action_type", &self::action_type),
      required("description", &self::description), optional("assigned_to", &self::assigned_to),
      optional("priority", &self::priority),
      optional("requires_confirmation", &self::requires_confirmation));
  }
};

/// Which observations are worth a goal, and which goal (contract 8). An empty
/// member of the filter filters nothing. Templates know `{content}` (of the
/// first observation), `{contents}`, `{count}`, `{goal_id}`, `{subject}` (the
/// goal id as words, else the content), `{tags}` and `{type}`.
struct promotion_rule {
  std::string id;
  std::vector<std::string> types;        ///< any of
  std::vector<std::string> tags_any;     ///< at least one of
  std::vector<std::string> tags_all;     ///< all of
  std::vector<source_kind> source_kinds; ///< any of
  std::vector<std::string> sources;      ///< names, any of
  std::optional<double> min_confidence;  ///< none: the common one
  std::string goal_type;   ///< "": the observation's context.goal_id, else the rule's id
  std::string title;       ///< template
  std::string description; ///< template
  scratchpage::priority priority = scratchpage::priority::medium;
  std::string grouping_key; ///< what makes candidates related: "context.x", "metadata.x", "source",
                            ///< "type", or "rule" for all of this rule
  uint32_t min_observations = 1; ///< related candidates before there is a goal
  std::vector<action_template> actions;

  static constexpr auto fields(auto all) {
    using self = promotion_rule;
    return all(required("id", &self::id), optional("types", &self::types),
      optional("tags_any", &self::tags_any), optional("tags_all", &self::tags_all),
      optional("source_kinds", &self::source_kinds), optional("sources", &self::sources),
      optional("min_confidence", &self::min_confidence), optional("goal_type", &self::goal_type),
      required("title", &self::title), required("description", &self::description),
      optional("priority", &self::priority), optional("grouping_key", &self::grouping_key),
      optional("min_observations", &self::min_observations), optional("actions", &self::actions));
  }
};

struct promotion_config {
  double min_confidence;                   ///< of rules that set none of their own
  std::vector<std::string> excluded_tags;  ///< never promoted, however confident
  std::vector<std::string> excluded_types; ///< nor these: the daemons' own bookkeeping
  uint32_t shared_tags;                    ///< that make two candidates related
  uint32_t max_evidence; ///< kept in a goal, the first ones; `goal_limits::observations` ids are
  std::vector<promotion_rule> rules; ///< the first that fits decides

  static constexpr auto fields(auto all) {
    using self = promotion_config;
    return all(required("min_confidence", &self::min_confidence),
      required("excluded_tags", &self::excluded_tags),
      required("excluded_types", &self::excluded_types),
      required("shared_tags", &self::shared_tags), required("max_evidence", &self::max_evidence),
      required("rules", &self::rules));
  }
};

caf::error validate(const promotion_config& x, std::string_view path);

enum class promotion_kind : uint8_t {
  none,            ///< no rule is about it
  promote,         ///< a candidate
  below_threshold, ///< a rule is about it, but it is not certain enough
  excluded,        ///< a rule is about it, but a tag forbids it
};

template <>
inline constexpr std::array<std::string_view, 4> enum_names<promotion_kind>{
  "none", "promote", "below_threshold", "excluded"};

struct promotion_decision {
  promotion_kind kind = promotion_kind::none;
  const promotion_rule* rule = nullptr; ///< owned by the rules; null for `none`

  std::string_view rule_id() const { return rule != nullptr ? rule->id : std::string_view{}; }
};

/// By what a goal, a candidate or several that wait together are related to others: the names of
/// goals, the groups of rules, and tags.
struct relation_marks {
  std::vector<std::string> names;
  bool is_named = false; ///< has a name that was chosen, and is related to no other name
  std::vector<std::string> groups;
  std::vector<std::string> tags;

  /// Has the marks of both from now on, but not more tags than so many.
  void add(const relation_marks& x, size_t most_tags);
};

/// The promotion rules, made ready (contract 8). Immutable, so that the page
/// and the Frontal Cortex can share one from several threads.
class promotion_rules {
public:
  explicit promotion_rules(promotion_config config);
  promotion_rules(const promotion_rules&) = delete; // decisions point into it
  promotion_rules& operator=(const promotion_rules&) = delete;

  /// Called for each change of the page: looks at the rules of the observation's
  /// type only.
  promotion_decision judge(const observation& x) const;

  /// Null if there is no such rule.
  const promotion_rule* find(std::string_view rule_id) const;

  /// A pending goal with the observations as its evidence; not empty. Its id is
  /// the one that their context names, else "" for the Frontal Cortex to choose;
  /// actions have no ids yet.
  goal draft(const promotion_rule& rule, const std::vector<observation_ptr>& observations) const;

  /// Adds an observation to a goal's ids, evidence and context; false if it was
  /// there already, or the goal is full. Progress and revision are the caller's.
  bool link(goal& to, const observation& x) const;

  /// As above with several, and tells which are new. Takes time with all of them, and not with
  /// all of them for each.
  std::vector<observation_ptr> link(goal& to, const std::vector<observation_ptr>& xs) const;

  /// Gives a goal's evidence the words that one of its observations has now, and the goal its tags.
  void refresh(goal& of, const observation& x) const;

  /// Evidence of a goal that was kept somewhere has as many words as it would be given now.
  static void shorten(goal& x);

  /// The tags of a goal: of its observations, or those that whoever made it gave it.
  std::vector<std::string> tags_of(const goal& x) const;

  /// How many more observations a goal takes.
  static size_t room_of(const goal& x);

  /// Whether a candidate of `rule` belongs to a goal that is not over: the same
  /// context.goal_id, else the grouping key's value, else enough shared tags.
  bool related(const observation& x, const promotion_rule& rule, const goal& to) const;

  /// The same for a goal and an observation that no rule is about: only its
  /// context.goal_id counts.
  static bool named_by(const observation& x, const goal& to);

  /// What relates them to others. A goal that is full has its names only, by which it is told that
  /// it has no room.
  relation_marks marks_of(const goal& x) const;
  static relation_marks marks_of(const observation& x, const promotion_rule& rule);
  /// Of one that no rule is about.
  static relation_marks marks_of(const observation& x);

  size_t shared_tags() const { return config_.shared_tags; }
  size_t max_evidence() const { return config_.max_evidence; }

  /// The same for two candidates that have no goal yet.
  bool related(const observation& x, const promotion_rule& x_rule, const observation& y,
    const promotion_rule& y_rule) const;

private:
  void add_evidence(goal& to, const observation& x) const;
  void add_tags(goal& to, const observation& x) const;
  bool shares_tags(const std::vector<std::string>& xs, const std::vector<std::string>& ys) const;

  promotion_config config_;
  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> excluded_types_;
  std::unordered_map<std::string, std::vector<const promotion_rule*>, keyed_text_hash,
    std::equal_to<>>
    by_type_;
  std::vector<const promotion_rule*> of_any_type_;
};

} // namespace scratchpage
