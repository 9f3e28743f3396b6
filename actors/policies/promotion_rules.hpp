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
#include "scratchpage/messages/shared_settings.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// An action that a goal begins with. The description is a template.
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

/// Which observations make a goal, and which goal they make (contract 8). The members from `types`
/// to `min_confidence` select observations; an empty one selects all. Templates can have the
/// placeholders `{content}` (of the first observation), `{contents}`, `{count}`, `{goal_id}`,
/// `{subject}` (the goal id as words, else the content), `{tags}` and `{type}`.
struct promotion_rule {
  std::string id;
  std::vector<std::string> types;          ///< any of these
  std::vector<std::string> tags_any;       ///< at least one of these
  std::vector<std::string> tags_all;       ///< all of these
  std::vector<source_kind> source_kinds;   ///< any of these
  std::vector<std::string> sources;        ///< any of these names
  std::vector<std::string> except_sources; ///< none of these names
  std::optional<double> min_confidence;    ///< none: that of promotion_config
  bool if_worth = false;   ///< only what is worth a goal by its text (worth_reading.hpp)
  std::string goal_type;   ///< "": the observation's context.goal_id, else the rule's id
  std::string title;       ///< template
  std::string description; ///< template
  scratchpage::priority priority = scratchpage::priority::medium;
  std::string grouping_key;      ///< candidates with the same value are related: "context.x",
                                 ///< "metadata.x", "source", "type", or "rule" for all of this rule
  uint32_t min_observations = 1; ///< related candidates that make a goal
  std::vector<action_template> actions;

  static constexpr auto fields(auto all) {
    using self = promotion_rule;
    return all(required("id", &self::id), optional("types", &self::types),
      optional("tags_any", &self::tags_any), optional("tags_all", &self::tags_all),
      optional("source_kinds", &self::source_kinds), optional("sources", &self::sources),
      optional("except_sources", &self::except_sources),
      optional("min_confidence", &self::min_confidence), optional("if_worth", &self::if_worth),
      optional("goal_type", &self::goal_type), required("title", &self::title),
      required("description", &self::description), optional("priority", &self::priority),
      optional("grouping_key", &self::grouping_key),
      optional("min_observations", &self::min_observations), optional("actions", &self::actions));
  }
};

struct promotion_config {
  double min_confidence;                   ///< of rules that set none of their own
  std::vector<std::string> excluded_tags;  ///< observations with one are never promoted
  std::vector<std::string> excluded_types; ///< nor are these types, which daemons use
  uint32_t shared_tags;                    ///< so many common tags make two candidates related
  uint32_t max_evidence;                   ///< entries that a goal keeps, the first ones
  std::vector<promotion_rule> rules;       ///< the first that matches decides

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
  none,            ///< no rule matches
  promote,         ///< the observation is a candidate
  below_threshold, ///< a rule matches, but the confidence is too low
  excluded,        ///< a rule matches, but the observation has an excluded tag
  not_worth,       ///< a rule matches, but the text asks for nothing
};

template <>
inline constexpr std::array<std::string_view, 5> enum_names<promotion_kind>{
  "none", "promote", "below_threshold", "excluded", "not_worth"};

struct promotion_decision {
  promotion_kind kind = promotion_kind::none;
  const promotion_rule* rule = nullptr; ///< owned by the rules; null for `none`

  std::string_view rule_id() const { return rule != nullptr ? rule->id : std::string_view{}; }
};

/// What relates a goal, a candidate, or a group of candidates to others: names of goals, groups of
/// rules, and tags.
struct relation_marks {
  std::vector<std::string> names;
  bool is_named = false; ///< has a chosen name, and is not related to entries with other names
  std::vector<std::string> groups;
  std::vector<std::string> tags;

  /// Adds the marks of `x`, up to `max_tags` tags in all.
  void add(const relation_marks& x, size_t max_tags);
};

/// The promotion rules (contract 8), indexed by type. Immutable, so that the page and the Frontal
/// Cortex can share them between threads.
class promotion_rules {
public:
  explicit promotion_rules(shared_settings<promotion_config> config);
  promotion_rules(const promotion_rules&) = delete; // decisions point into it
  promotion_rules& operator=(const promotion_rules&) = delete;

  /// What the rules say about an observation. Each change of the page calls this, so it looks only
  /// at the rules for the observation's type, and reads the text only if a rule would promote it.
  promotion_decision judge(const observation& x) const;

  /// Null if there is no such rule.
  const promotion_rule* find(std::string_view rule_id) const;

  /// A pending goal with the observations as evidence. Its id is the one that their context names,
  /// else "", for the Frontal Cortex to choose. Its actions have no ids yet.
  /// @pre `observations` is not empty
  goal draft(const promotion_rule& rule, const std::vector<observation_ptr>& observations) const;

  /// Adds observations to a goal's ids, evidence and context, in linear time. Returns those that
  /// were added: those that the goal did not have, until it is full. Progress and revision are left
  /// to the caller.
  std::vector<observation_ptr> link(goal& to, const std::vector<observation_ptr>& xs) const;

  /// Adds to a goal the actions of a rule that warn the user, one for each of these observations:
  /// whoever was warned of one danger was not warned of the next. They have no ids yet.
  static void warn_of(
    goal& to, const promotion_rule& rule, const std::vector<observation_ptr>& observations);

  /// Updates the evidence, and adds tags to the goal, after one of its observations has changed.
  void refresh(goal& of, const observation& x) const;

  /// Shortens the evidence of a stored goal to today's limit.
  static void shorten(goal& x);

  /// The tags of a goal: those of its observations, or those it was created with.
  std::vector<std::string> tags_of(const goal& x) const;

  /// How many more observations the goal can take.
  static size_t room_of(const goal& x);

  /// The marks by which `relation_index` finds relations: the name in context.goal_id, the value of
  /// the rule's grouping key, what was said (so that the same words are one goal), and the tags. A
  /// full goal has only its names, so that candidates that name it are still sent to it, and
  /// refused.
  relation_marks marks_of(const goal& x) const;
  static relation_marks marks_of(const observation& x, const promotion_rule& rule);
  /// The marks of an observation that no rule matches: only its context.goal_id counts.
  static relation_marks marks_of(const observation& x);

  size_t shared_tags() const { return config_->shared_tags; }
  size_t max_evidence() const { return config_->max_evidence; }

private:
  void add_evidence(goal& to, const observation& x) const;
  void add_tags(goal& to, const observation& x) const;

  shared_settings<promotion_config> config_;
  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> excluded_types_;
  std::unordered_map<std::string, std::vector<const promotion_rule*>, keyed_text_hash,
    std::equal_to<>>
    by_type_;
  std::vector<const promotion_rule*> of_any_type_;
};

} // namespace scratchpage
