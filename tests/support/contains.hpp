#pragma once

#include <string_view>

namespace scratchpage::test {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace scratchpage::test
