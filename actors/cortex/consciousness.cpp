#include "scratchpage/actors/cortex/consciousness.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

bool matches(const mandate_match& rule, const proposal& x) {
  auto is_subject = [&](const std::string& pattern) { return matches_pattern(pattern, x.subject); };
  auto holds = [&](const auto& detail) {
    const auto* value = at_path(x.details, detail.first);
    return value != nullptr && *value == detail.second;
  };
  auto is_tagged = [&](const std::string& pattern) {
    return std::any_of(x.tags.begin(), x.tags.end(),
      [&](const std::string& tag) { return matches_pattern(pattern, tag); });
  };
  return (rule.actions.empty() || contains(rule.actions, x.action))
         && (rule.subjects.empty()
             || std::any_of(rule.subjects.begin(), rule.subjects.end(), is_subject))
         && (rule.tags_any.empty()
             || std::any_of(rule.tags_any.begin(), rule.tags_any.end(), is_tagged))
         && std::all_of(rule.details.begin(), rule.details.end(), holds);
}

/// Whether the user has already given the consent that the rule asks for.
bool is_satisfied(const mandate& rule, const proposal& x) {
  return (rule.unless_user_consents && (x.user_consents || x.user_confirms))
         || (rule.verdict == verdict_kind::ask_user && x.user_confirms);
}

/// Whether the goal gets a goal id or a user id, which it takes from the first observation that
/// has one.
bool gains_name(const goal& now, const goal& next) {
  for (const auto* name : {"goal_id", "user_id"})
    if (text_at(now.context, name) != text_at(next.context, name))
      return true;
  return false;
}

proposal about(const caller& by, const goal& x, std::vector<std::string> tags) {
  return {by, "goal", x.goal_type, std::move(tags), x.context, false};
}

} // namespace

caf::error validate(const mandate_config& x, std::string_view path) {
  config_check check{path};
  std::set<std::string> ids;
  for (size_t i = 0; i < x.rules.size(); ++i) {
    const auto& rule = x.rules[i];
    auto at = sub_path("", "rules", i);
    check.require(!utf8::is_blank(rule.id), at + ".id", "a text that is not blank")
      .require(
        ids.insert(rule.id).second, at + ".id", "a unique id; \"" + rule.id + "\" is used twice")
      .require(!utf8::is_blank(rule.reason), at + ".reason", "a text that is not blank");
  }
  return check.error();
}

verdict mandates::judge(const proposal& x) const {
  for (const auto& rule : config_.rules)
    if (!is_satisfied(rule, x) && matches(rule.match, x))
      return {rule.verdict, rule.id, rule.reason};
  return {verdict_kind::allow, {}, "no mandate forbids it"};
}

consciousness_state::consciousness_state(
  handle::pointer, const agent_context& agent, mandate_config config)
  : mandates_{std::move(config)},
    trace_{agent, name, static_cast<uint32_t>(component::consciousness)} {}

consciousness_state::handle::behavior_type consciousness_state::make_behavior() {
  return {[this](const proposal& x) {
    auto result = mandates_.judge(x);
    trace_.write("judge", x.by,
      {{"action", x.action}, {"subject", x.subject}, {"verdict", name_of(result.kind)},
        {"mandate_id", result.mandate_id}});
    return result;
  }};
}

void goal_judge::judge(const caller& by, const goal& now, const goal& next,
  const std::vector<std::string>& tags, const on_verdict& then) const {
  if (tags.empty() && !gains_name(now, next))
    return then(verdict{});
  ask(self_, consciousness_, timeout_, about(by, next, tags))
    .then(
      [this, by, now, then](const verdict& said) {
        if (said.kind == verdict_kind::ask_user)
          ask_without_change(by, now, said, then);
        else
          then(said);
      },
      [then](const caf::error& err) { then(err); });
}

/// Asks about the goal as it was. If the same mandate applies to it, the change is not the reason,
/// and the verdict is `allow`.
void goal_judge::ask_without_change(
  const caller& by, const goal& now, const verdict& said, const on_verdict& then) const {
  ask(self_, consciousness_, timeout_, about(by, now, {}))
    .then(
      [said, then](
        const verdict& before) { then(before.mandate_id == said.mandate_id ? verdict{} : said); },
      [then](const caf::error& err) { then(err); });
}

} // namespace scratchpage
