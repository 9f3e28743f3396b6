#include "scratchpage/messages/observation_id.hpp"

#include <array>
#include <charconv>

namespace scratchpage {

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

} // namespace scratchpage
