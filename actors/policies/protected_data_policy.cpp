#include "scratchpage/actors/policies/protected_data_policy.hpp"

#include <algorithm>

#include "scratchpage/actors/policies/words.hpp"
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
