#pragma once

#include <string_view>

#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// The same text, as Boost.JSON takes it.
inline json::string_view view(std::string_view x) {
  return {x.data(), x.size()};
}

} // namespace scratchpage
