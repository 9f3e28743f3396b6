#include "scratchpage/messages/observation.hpp"

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "scratchpage/messages/json/json_size.hpp"

namespace scratchpage {

namespace {

using scratchpage::memory_of; // of texts, beside those below

constexpr size_t shared_block = 32; // the count of the owners, and the overhead of the heap

size_t memory_of(const std::vector<std::string>& xs) {
  auto result = xs.size() * sizeof(std::string);
  for (const auto& x : xs)
    result += memory_of(x);
  return result;
}

} // namespace

std::optional<uint64_t> number_of(std::string_view id) {
  auto digits = id.substr(id.rfind('_') + 1);
  uint64_t number = 0;
  auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (ec != std::errc{} || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

void append_number(std::string& id, uint64_t number) {
  std::array<char, 24> digits;
  auto* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  auto count = static_cast<size_t>(end - digits.data());
  id.append(count < 3 ? 3 - count : 0, '0').append(digits.data(), count);
}

size_t memory_of(const observation& x) {
  return sizeof(observation) + shared_block + memory_of(x.observation_id) + memory_of(x.type)
         + memory_of(x.content) + memory_of(x.tags) + memory_of(x.source.name)
         + memory_of(x.source.turn_id) + memory_of(x.context) + memory_of(x.owner)
         + memory_of(x.metadata) + memory_of(x.linked_goal_ids);
}

} // namespace scratchpage
