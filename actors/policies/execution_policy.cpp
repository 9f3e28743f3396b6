#include "scratchpage/actors/policies/execution_policy.hpp"

#include <algorithm>

#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/messages/config_check.hpp"

namespace scratchpage {

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
  // What is below 0 is 0: the page puts it right, and refuses what is no number.
  return !confidence || !(std::max(*confidence, 0.0) < config_.capture_threshold);
}

} // namespace scratchpage
