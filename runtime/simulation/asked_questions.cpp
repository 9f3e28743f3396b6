#include "scratchpage/runtime/simulation/asked_questions.hpp"

#include <algorithm>

#include "scratchpage/actors/turns/turn_outcome.hpp"

namespace scratchpage {

std::vector<asked_question> questions_of(const turn_result& turn) {
  std::vector<asked_question> result;
  for (const auto& question : turn.questions) {
    auto asked = std::find_if(
      turn.observations.begin(), turn.observations.end(), [&](const observation_ptr& x) {
        return x->type == "pending_confirmation" && question_of(*x) == question;
      });
    if (asked == turn.observations.end())
      result.push_back({"", question});
    else
      result.push_back({said_by((*asked)->source), (*asked)->content});
  }
  return result;
}

} // namespace scratchpage
