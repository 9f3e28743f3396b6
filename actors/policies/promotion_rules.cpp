#include "scratchpage/actors/policies/promotion_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_set>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/worth_reading.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_title = 120;        // bytes
constexpr size_t max_description = 1000; // bytes

template <class T>
bool is_any_of(const std::vector<T>& list, const T& x) {
  return list.empty() || std::find(list.begin(), list.end(), x) != list.end();
}

bool fits(const promotion_rule& rule, const observation& x) {
  auto has_tag = [&](const std::string& tag) { return contains(x.tags, tag); };
  return is_any_of(rule.types, x.type)
         && (rule.tags_any.empty()
             || std::any_of(rule.tags_any.begin(), rule.tags_any.end(), has_tag))
         && std::all_of(rule.tags_all.begin(), rule.tags_all.end(), has_tag)
         && is_any_of(rule.source_kinds, x.source.kind) && is_any_of(rule.sources, x.source.name)
         && !contains(rule.except_sources, x.source.name);
}

/// The id of the goal that an observation names; "" if it names none, or it is not a valid id.
std::string named_goal(const observation& x) {
  auto result = text_at(x.context, "goal_id");
  return result.size() <= goal_limits::id_bytes && is_key_text(result) ? result : std::string{};
}

/// What a goal keeps of an observation.
goal_evidence evidence_of(const observation& x) {
  return {x.observation_id, utf8::shortened(x.content, goal_limits::evidence_bytes), x.confidence,
    said_by(x.source)};
}

/// "find_wine" → "Find wine"
std::string as_title(const std::string& id) {
  auto text = joined(words_of(id), " ");
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// The values of a template's placeholders.
class placeholders {
public:
  explicit placeholders(const std::vector<observation_ptr>& observations, std::string goal_id) {
    const auto& first = *observations.front();
    std::vector<std::string> contents;
    std::vector<std::string> tags;
    for (const auto& one : observations) {
      contents.push_back(one->content);
      for (const auto& tag : one->tags)
        if (!contains(tags, tag))
          tags.push_back(tag);
    }
    values_ = {{"{content}", first.content}, {"{contents}", joined(contents, "; ")},
      {"{count}", std::to_string(observations.size())},
      {"{subject}", goal_id.empty() ? first.content : as_title(goal_id)},
      {"{tags}", enumerated(tags)}, {"{type}", first.type}, {"{goal_id}", std::move(goal_id)}};
  }

  /// Replaces placeholders in one pass, so that braces in an observation's text stay as they are.
  std::string fill(std::string_view text, size_t limit) const {
    std::string result;
    while (!text.empty()) {
      auto found = std::find_if(values_.begin(), values_.end(),
        [&](const auto& one) { return text.starts_with(one.first); });
      if (found == values_.end()) {
        result += text.front();
        text.remove_prefix(1);
      } else {
        result += found->second;
        text.remove_prefix(found->first.size());
      }
    }
    return utf8::shortened(result, limit);
  }

private:
  std::vector<std::pair<std::string_view, std::string>> values_;
};

/// The value that a rule groups by, or "" if the observation has none.
std::string group_of(const promotion_rule& rule, const observation& x) {
  std::string_view key = rule.grouping_key;
  auto scalar = [](const json::object& in, std::string_view path) {
    const auto* value = at_path(in, path);
    return value == nullptr || value->is_null() || value->is_structured() ? std::string{}
                                                                          : to_text(*value);
  };
  if (key == "rule")
    return rule.id;
  if (key == "type")
    return x.type;
  if (key == "source")
    return x.source.name;
  if (key.starts_with("context."))
    return scalar(x.context, key.substr(8));
  return key.starts_with("metadata.") ? scalar(x.metadata, key.substr(9)) : std::string{};
}

bool is_grouping_key(std::string_view key) {
  return key.empty() || key == "rule" || key == "type" || key == "source"
         || (key.starts_with("context.") && key.size() > 8)
         || (key.starts_with("metadata.") && key.size() > 9);
}

/// The first `max` tags of a goal; a caller may have created it with more.
std::vector<std::string> first_tags_of(const goal& x, size_t max) {
  std::vector<std::string> result;
  const auto* value = x.context.if_contains("tags");
  if (const auto* list = value != nullptr ? value->if_array() : nullptr)
    for (const auto& one : *list)
      if (const auto* text = one.if_string(); text != nullptr && result.size() < max)
        result.emplace_back(text->data(), text->size());
  return result;
}

/// The mark of a group. It has the rule's id, since groups of different rules are not related.
std::string group_mark(std::string_view rule_id, std::string_view group) {
  return std::string{rule_id}.append("\n").append(group);
}

/// The mark of what an observation says: the same words in any case are the same. It is a hash,
/// since goals have many observations.
std::string saying_mark(std::string_view content) {
  auto said = utf8::shortened(content, goal_limits::evidence_bytes);
  return "said\n" + std::to_string(keyed_text_hash{}(joined(words_of(said), " ")));
}

void add_new(std::vector<std::string>& to, const std::vector<std::string>& from, size_t max) {
  for (const auto& one : from)
    if (to.size() < max && !contains(to, one))
      to.push_back(one);
}

void check_rule(config_check& check, const promotion_rule& rule, const std::string& at) {
  auto field = [&](std::string_view name) { return sub_path(at, name); };
  check.require(!utf8::is_blank(rule.id), field("id"), "a text that is not blank")
    .range(field("min_confidence"), rule.min_confidence.value_or(0), 0, 1)
    .require(!utf8::is_blank(rule.title), field("title"), "a text that is not blank")
    .require(is_grouping_key(rule.grouping_key), field("grouping_key"),
      "context.<path>, metadata.<path>, source, type, rule, or nothing")
    .range(field("min_observations"), rule.min_observations, 1, goal_limits::observations);
  for (size_t i = 0; i < rule.actions.size(); ++i)
    check.require(!utf8::is_blank(rule.actions[i].action_type),
      sub_path(sub_path(at, "actions", i), "action_type"), "a text that is not blank");
}

} // namespace

void relation_marks::add(const relation_marks& x, size_t max_tags) {
  add_new(names, x.names, SIZE_MAX);
  is_named = is_named || x.is_named;
  add_new(groups, x.groups, SIZE_MAX);
  add_new(tags, x.tags, max_tags);
}

caf::error validate(const promotion_config& x, std::string_view path) {
  config_check check{path};
  check.range("min_confidence", x.min_confidence, 0, 1)
    .words("excluded_tags", x.excluded_tags)
    .words("excluded_types", x.excluded_types)
    .range("shared_tags", x.shared_tags, 1, 32)
    .range("max_evidence", x.max_evidence, 1, 100'000);
  std::set<std::string> ids;
  for (size_t i = 0; i < x.rules.size(); ++i) {
    check_rule(check, x.rules[i], sub_path("", "rules", i));
    check.require(ids.insert(x.rules[i].id).second, sub_path("", "rules", i) + ".id",
      "a unique id; \"" + x.rules[i].id + "\" is used twice");
  }
  return check.error();
}

promotion_rules::promotion_rules(shared_settings<promotion_config> config)
  : config_{std::move(config)},
    excluded_types_{config_->excluded_types.begin(), config_->excluded_types.end()} {
  for (const auto& rule : config_->rules)
    for (const auto& type : rule.types)
      by_type_[type];
  for (const auto& rule : config_->rules) {
    for (auto& [type, rules] : by_type_)
      if (is_any_of(rule.types, type))
        rules.push_back(&rule);
    if (rule.types.empty())
      of_any_type_.push_back(&rule);
  }
}

promotion_decision promotion_rules::judge(const observation& x) const {
  if (!is_live(x.status) || excluded_types_.contains(x.type))
    return {};
  auto i = by_type_.find(x.type);
  promotion_decision result;
  for (const auto* rule : i != by_type_.end() ? i->second : of_any_type_) {
    if (!fits(*rule, x))
      continue;
    if (first_shared(x.tags, config_->excluded_tags) != nullptr)
      return {promotion_kind::excluded, rule};
    auto is_sure = x.confidence >= rule->min_confidence.value_or(config_->min_confidence);
    if (is_sure && (!rule->if_worth || is_worth_a_goal(x)))
      return {promotion_kind::promote, rule};
    if (is_sure)
      result = {promotion_kind::not_worth, rule};
    else if (result.rule == nullptr)
      result = {promotion_kind::below_threshold, rule};
  }
  return result;
}

const promotion_rule* promotion_rules::find(std::string_view rule_id) const {
  auto i = std::find_if(config_->rules.begin(), config_->rules.end(),
    [&](const promotion_rule& rule) { return rule.id == rule_id; });
  return i != config_->rules.end() ? &*i : nullptr;
}

goal promotion_rules::draft(
  const promotion_rule& rule, const std::vector<observation_ptr>& observations) const {
  goal result;
  for (const auto& one : observations)
    if (result.goal_id.empty())
      result.goal_id = named_goal(*one);
  placeholders values{observations, result.goal_id};
  result.goal_type = !rule.goal_type.empty()   ? rule.goal_type
                     : !result.goal_id.empty() ? result.goal_id
                                               : rule.id;
  result.title = values.fill(rule.title, max_title);
  result.description = values.fill(rule.description, max_description);
  result.priority = rule.priority;
  result.context["rule_id"] = rule.id;
  if (auto group = group_of(rule, *observations.front()); !group.empty())
    result.context["group"] = group;
  link(result, observations);
  for (const auto& one : rule.actions)
    result.pending_actions.push_back(
      {{}, one.action_type, values.fill(one.description, max_description), one.assigned_to,
        one.priority, action_status::pending, one.requires_confirmation});
  return result;
}

void promotion_rules::warn_of(
  goal& to, const promotion_rule& rule, const std::vector<observation_ptr>& observations) {
  for (const auto& one : rule.actions)
    for (const auto& x : observations) {
      if (one.action_type != warn_user || to.pending_actions.size() >= goal_limits::actions)
        continue;
      auto text = placeholders{{x}, to.goal_id}.fill(one.description, max_description);
      auto is_there = std::any_of(to.pending_actions.begin(), to.pending_actions.end(),
        [&](const pending_action& known) { return known.description == text; });
      if (!is_there)
        to.pending_actions.push_back({{}, one.action_type, std::move(text), one.assigned_to,
          one.priority, action_status::pending, one.requires_confirmation});
    }
}

size_t promotion_rules::room_of(const goal& x) {
  return goal_limits::observations - std::min(goal_limits::observations, x.observation_ids.size());
}

std::vector<observation_ptr> promotion_rules::link(
  goal& to, const std::vector<observation_ptr>& xs) const {
  std::unordered_set<std::string, keyed_text_hash, std::equal_to<>> known{
    to.observation_ids.begin(), to.observation_ids.end()};
  std::vector<observation_ptr> result;
  for (const auto& x : xs) {
    if (room_of(to) == 0 || !known.insert(x->observation_id).second)
      continue;
    add_evidence(to, *x);
    result.push_back(x);
  }
  return result;
}

void promotion_rules::add_evidence(goal& to, const observation& x) const {
  if (to.observation_ids.empty())
    to.observation_id = x.observation_id;
  to.observation_ids.push_back(x.observation_id);
  for (auto name : {"goal_id", "user_id"})
    if (auto value = text_at(x.context, name);
        !value.empty() && value.size() <= goal_limits::id_bytes && !to.context.contains(name))
      to.context[name] = value;
  add_tags(to, x);
  if (to.evidence.size() >= config_->max_evidence)
    return;
  auto added = evidence_of(x);
  auto& about = to.context["observations"];
  if (!about.is_array())
    about.emplace_array();
  about.get_array().push_back({{"observation_id", x.observation_id}, {"content", added.content}});
  to.evidence.push_back(std::move(added));
}

void promotion_rules::add_tags(goal& to, const observation& x) const {
  auto known = tags_of(to);
  auto& tags = to.context["tags"];
  if (!tags.is_array())
    tags.emplace_array();
  for (const auto& tag : x.tags)
    if (!contains(known, tag) && known.size() < config_->max_evidence) {
      known.push_back(tag);
      tags.get_array().emplace_back(tag);
    }
}

void promotion_rules::refresh(goal& of, const observation& x) const {
  add_tags(of, x);
  for (auto& one : of.evidence)
    if (one.observation_id == x.observation_id) {
      auto now = evidence_of(x);
      one.content = std::move(now.content);
      one.confidence = now.confidence;
    }
}

void promotion_rules::shorten(goal& x) {
  for (auto& one : x.evidence)
    one.content = utf8::shortened(one.content, goal_limits::evidence_bytes);
}

std::vector<std::string> promotion_rules::tags_of(const goal& x) const {
  return first_tags_of(x, config_->max_evidence);
}

relation_marks promotion_rules::marks_of(const goal& x) const {
  auto name = text_at(x.context, "goal_id");
  relation_marks result{{x.goal_id}, !name.empty(), {}, {}};
  if (!name.empty() && name != x.goal_id)
    result.names.push_back(std::move(name));
  if (room_of(x) == 0)
    return result;
  if (auto group = text_at(x.context, "group"); !group.empty())
    result.groups.push_back(group_mark(text_at(x.context, "rule_id"), group));
  for (const auto& one : x.evidence)
    add_new(result.groups, {saying_mark(one.content)}, SIZE_MAX);
  result.tags = tags_of(x);
  return result;
}

relation_marks promotion_rules::marks_of(const observation& x, const promotion_rule& rule) {
  auto result = marks_of(x);
  if (auto group = group_of(rule, x); !group.empty())
    result.groups.push_back(group_mark(rule.id, group));
  result.groups.push_back(saying_mark(x.content));
  result.tags = x.tags;
  return result;
}

relation_marks promotion_rules::marks_of(const observation& x) {
  auto name = named_goal(x);
  if (name.empty())
    return {};
  return {{std::move(name)}, true, {}, {}};
}

} // namespace scratchpage
