#include "scratchpage/actors/policies/execution_policy.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/config_check.hpp"

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

} // namespace

caf::error validate(const execution_config& x, std::string_view path) {
  return config_check{path}
    .range("parallel_limit", x.parallel_limit, 1, 1000)
    .range("capture_threshold", x.capture_threshold, 0, 1)
    .words("verification_tags", x.verification_tags)
    .words("verification_tools", x.verification_tools)
    .words("confirmation_types", x.confirmation_types)
    .error();
}

size_t execution_policy::parallel_limit(urgency level) const {
  return level == urgency::high ? config_.parallel_limit : 1;
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
