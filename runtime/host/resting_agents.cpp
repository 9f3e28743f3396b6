#include "scratchpage/runtime/host/resting_agents.hpp"

#include <tuple>

namespace scratchpage {

void resting_agents::add(const std::string& id, resting_agent x) {
  std::ignore = take(id);
  auto bytes = entry_bytes + 2 * id.size() + x.kept->bytes();
  bytes_ += bytes;
  if (x.wake_at)
    by_time_.emplace(*x.wake_at, id);
  agents_.emplace(id, entry{std::move(x), bytes});
}

std::optional<resting_agent> resting_agents::take(std::string_view id) {
  auto found = agents_.find(id);
  if (found == agents_.end())
    return std::nullopt;
  auto result = std::move(found->second.agent);
  bytes_ -= found->second.bytes;
  if (result.wake_at)
    by_time_.erase({*result.wake_at, found->first});
  agents_.erase(found);
  return result;
}

std::vector<std::string> resting_agents::due(timestamp now, size_t most) const {
  std::vector<std::string> result;
  for (auto i = by_time_.begin(); i != by_time_.end() && i->first <= now && result.size() < most;
       ++i)
    result.push_back(i->second);
  return result;
}

} // namespace scratchpage
