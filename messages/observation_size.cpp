#include "scratchpage/messages/observation_size.hpp"

#include <string>
#include <vector>

#include "scratchpage/messages/json/json_size.hpp"

namespace scratchpage {

namespace {

constexpr size_t shared_block = 32; // what counts its owners, and its place in the heap

/// Short texts lie in the string itself.
size_t memory_of(const std::string& x) {
  constexpr size_t longest_inside = 15;
  return x.size() > longest_inside ? x.size() + shared_block / 2 : 0;
}

size_t memory_of(const std::vector<std::string>& xs) {
  auto result = xs.size() * sizeof(std::string);
  for (const auto& x : xs)
    result += memory_of(x);
  return result;
}

} // namespace

size_t memory_of(const observation& x) {
  return sizeof(observation) + shared_block + memory_of(x.observation_id) + memory_of(x.type)
         + memory_of(x.content) + memory_of(x.tags) + memory_of(x.source.name)
         + memory_of(x.source.turn_id) + memory_of(x.context) + memory_of(x.owner)
         + memory_of(x.metadata) + memory_of(x.linked_goal_ids);
}

} // namespace scratchpage
