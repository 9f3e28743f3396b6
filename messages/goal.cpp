#include "scratchpage/messages/goal.hpp"

#include <string>

#include "scratchpage/messages/json/json_size.hpp"

namespace scratchpage {

namespace {

using scratchpage::memory_of; // of texts, beside those below

size_t memory_of(const goal_evidence& x) {
  return sizeof(goal_evidence) + memory_of(x.observation_id) + memory_of(x.content)
         + memory_of(x.source);
}

size_t memory_of(const pending_action& x) {
  return sizeof(pending_action) + memory_of(x.action_id) + memory_of(x.action_type)
         + memory_of(x.description);
}

} // namespace

size_t memory_of(const goal& x) {
  auto result = sizeof(goal) + memory_of(x.goal_id) + memory_of(x.goal_type) + memory_of(x.title)
                + memory_of(x.description) + memory_of(x.observation_id)
                + scratchpage::memory_of(x.context);
  for (const auto& id : x.observation_ids)
    result += sizeof(std::string) + memory_of(id);
  for (const auto& one : x.evidence)
    result += memory_of(one);
  for (const auto& one : x.pending_actions)
    result += memory_of(one);
  return result;
}

} // namespace scratchpage
