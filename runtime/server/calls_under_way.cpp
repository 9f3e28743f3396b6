#include "scratchpage/runtime/server/calls_under_way.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage::serve {

namespace {

/// A principal at an agent; all programs whose names nobody has checked are one.
std::string key_of(const std::string& agent_id, const caller& by) {
  if (by.claimed)
    return agent_id;
  auto kind = name_of(by.kind);
  std::string result;
  result.reserve(agent_id.size() + kind.size() + by.name.size() + 2);
  return result.append(agent_id).append(1, '\0').append(kind).append(1, '\0').append(by.name);
}

} // namespace

std::shared_ptr<const void> calls_under_way::enter(const std::string& agent_id, const caller& by) {
  auto key = key_of(agent_id, by);
  std::lock_guard lock{counts_->guard};
  auto [found, is_first] = counts_->by_principal.try_emplace(std::move(key), 0);
  if (found->second >= most)
    return nullptr;
  auto& entry = *found; // stays where it is while somebody is counted in it
  ++entry.second;
  auto leave = [all = counts_, &entry](const void*) {
    std::lock_guard leaving{all->guard};
    if (--entry.second == 0)
      all->by_principal.erase(all->by_principal.find(entry.first));
  };
  return {this, std::move(leave)};
}

caf::error calls_under_way::refusal(const caller& by) {
  return fail(errc::overloaded, "",
    "expected at most " + std::to_string(most) + " calls of " + principal_of(by)
      + " under way at an agent");
}

} // namespace scratchpage::serve
