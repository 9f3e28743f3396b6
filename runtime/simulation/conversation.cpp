#include "scratchpage/runtime/simulation/conversation.hpp"

namespace scratchpage {

size_t count_turns(const conversation& x) {
  size_t result = 0;
  for (const auto& step : x.steps)
    if (const auto* begun = std::get_if<turns_step>(&step.what))
      result += begun->turns.size();
  return result;
}

size_t count_calls(const conversation& x) {
  size_t result = 0;
  for (const auto& step : x.steps)
    if (const auto* begun = std::get_if<turns_step>(&step.what))
      for (const auto& turn : begun->turns)
        result += turn.request.plan.size();
  return result;
}

} // namespace scratchpage
