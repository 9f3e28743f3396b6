#pragma once

#include <cstddef>
#include <variant>

#include "scratchpage/runtime/simulation/conversation.hpp"

namespace scratchpage {

/// How many calls the turns of a conversation plan.
inline size_t count_calls(const conversation& x) {
  size_t result = 0;
  for (const auto& step : x.steps)
    if (const auto* begun = std::get_if<turns_step>(&step.what))
      for (const auto& turn : begun->turns)
        result += turn.request.plan.size();
  return result;
}

} // namespace scratchpage
