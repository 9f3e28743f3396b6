#include "scratchpage/actors/policies/mandates.hpp"

#include <algorithm>
#include <set>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/actors/policies/words.hpp"
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

/// Whether the user has said already what the rule wants to hear.
bool is_satisfied(const mandate& rule, const proposal& x) {
  return (rule.unless_user_consents && (x.user_consents || x.user_confirms))
         || (rule.verdict == verdict_kind::ask_user && x.user_confirms);
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
        ids.insert(rule.id).second, at + ".id", "an id of its own, not \"" + rule.id + "\" again")
      .require(!utf8::is_blank(rule.reason), at + ".reason", "a text that is not blank");
  }
  return check.error();
}

verdict mandates::judge(const proposal& x) const {
  for (const auto& rule : config_.rules)
    if (!is_satisfied(rule, x) && matches(rule.match, x))
      return {rule.verdict, rule.id, rule.reason};
  return {verdict_kind::allow, {}, "no mandate speaks against it"};
}

} // namespace scratchpage
