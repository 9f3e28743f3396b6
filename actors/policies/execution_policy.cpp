#include "scratchpage/actors/policies/execution_policy.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

bool matches_any(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
    [&](const std::string& pattern) { return matches_pattern(pattern, text); });
}

void add(protected_access& to, std::string tag, std::string reason) {
  to.touches = true;
  if (!contains(to.tags, tag))
    to.tags.push_back(std::move(tag));
  to.reasons.push_back(std::move(reason));
}

/// Whether the statement begins with `beginning`, as whole words.
bool begins(std::string_view statement, std::string_view beginning) {
  constexpr std::string_view of_ids = "abcdefghijklmnopqrstuvwxyz0123456789_-/:";
  if (!statement.starts_with(beginning))
    return false;
  auto rest = statement.substr(beginning.size());
  return rest.empty() || of_ids.find(rest.front()) == std::string_view::npos;
}

/// Whether the statement, in in_lower_case case, says that `other` is to be called instead of
/// `tool`.
bool names_stand_in(std::string_view statement, const std::string& tool, const std::string& other) {
  return begins(statement, other + " can stand in for " + tool)
         || begins(statement, "use " + other + " instead of " + tool)
         || begins(statement, "prefer " + other + " to " + tool);
}

/// Whether the statement, in in_lower_case case, says that more time helps `tool`.
bool asks_for_time(std::string_view statement, const std::string& tool) {
  static const phrase_list time{{"longer timeout", "more time"}};
  static const phrase_list denial{{"not", "never", "*n't", "no"}};
  auto words = words_of(statement);
  return begins(statement, tool) && time.find_in(words) != nullptr
         && denial.find_in(words) == nullptr;
}

} // namespace

caf::error validate(const execution_config& x, std::string_view path) {
  return config_check{path}
    .range("parallel_limit", x.parallel_limit, 1, 1000)
    .range("capture_threshold", x.capture_threshold, 0, 1)
    .words("verification_tags", x.verification_tags)
    .words("verification_tools", x.verification_tools)
    .words("confirmation_types", x.confirmation_types)
    .range("fact_confidence", x.fact_confidence, 0, 1)
    .range("timeout_factor", x.timeout_factor, 1, 100)
    .range("max_timeout_ms", x.max_timeout_ms, 1, 86'400'000)
    .error();
}

size_t execution_policy::parallel_limit(urgency level) const {
  return level == urgency::high ? config_.parallel_limit : 1;
}

std::vector<std::string> execution_policy::live_types() const {
  auto result = config_.confirmation_types;
  result.emplace_back("action_suggestion");
  return result;
}

bool execution_policy::verifies_first(const std::vector<observation_ptr>& live) const {
  return std::any_of(live.begin(), live.end(), [this](const observation_ptr& one) {
    return one && is_live(one->status) && contains(config_.confirmation_types, one->type);
  });
}

bool execution_policy::is_verification(
  const planned_call& call, const tool_manifest* manifest) const {
  if (manifest != nullptr && first_shared(manifest->tags, config_.verification_tags) != nullptr)
    return true;
  return std::any_of(config_.verification_tools.begin(), config_.verification_tools.end(),
    [&](const std::string& pattern) { return matches_pattern(pattern, call.tool_id); });
}

bool execution_policy::captures(std::optional<double> confidence) const {
  // The page raises a negative confidence to 0, and refuses one that is not a number.
  return !confidence || !(std::max(*confidence, 0.0) < config_.capture_threshold);
}

std::optional<fact_advice> execution_policy::advice(
  const tool_manifest& of, const std::vector<fact>& facts) const {
  std::optional<fact_advice> result;
  double surest = 0;
  auto tool = in_lower_case(of.tool_id);
  for (const auto& one : facts) {
    if (one.valid_until || one.confidence < config_.fact_confidence || one.confidence <= surest)
      continue;
    auto statement = in_lower_case(utf8::prefix(one.statement, reading_limits::observation_bytes));
    fact_advice found{one.fact_id, {}, 0};
    for (const auto& other : of.alternatives)
      if (found.prefer.empty() && names_stand_in(statement, tool, in_lower_case(other)))
        found.prefer = other;
    if (found.prefer.empty() && asks_for_time(statement, tool))
      found.timeout_ms = std::max(
        of.timeout_ms, std::min(of.timeout_ms * config_.timeout_factor, config_.max_timeout_ms));
    if (found.prefer.empty() && found.timeout_ms <= of.timeout_ms)
      continue;
    surest = one.confidence;
    result = std::move(found);
  }
  return result;
}

caf::error validate(const protected_data_config& x, std::string_view path) {
  return config_check{path}
    .words("permissions", x.permissions)
    .words("tags", x.tags)
    .words("tools", x.tools)
    .words("inputs", x.inputs)
    .error();
}

protected_access protected_data_policy::assess(
  const planned_call& call, const tool_manifest* manifest) const {
  protected_access result;
  if (manifest != nullptr) {
    for (const auto& permission : manifest->permissions)
      if (matches_any(config_.permissions, permission))
        add(result, permission, call.tool_id + " needs the permission " + permission);
    for (const auto& tag : manifest->tags)
      if (matches_any(config_.tags, tag))
        add(result, tag, call.tool_id + " is tagged " + tag);
  }
  if (matches_any(config_.tools, call.tool_id))
    add(result, call.tool_id, call.tool_id + " is listed as touching protected data");
  for (const auto& [key, value] : call.inputs)
    if (std::string name{key}; matches_any(config_.inputs, name))
      add(result, name, call.tool_id + " gets the input " + name);
  return result;
}

} // namespace scratchpage
