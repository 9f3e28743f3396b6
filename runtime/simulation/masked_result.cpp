#include "scratchpage/runtime/simulation/masked_result.hpp"

#include <memory>
#include <utility>

namespace scratchpage {

namespace {

void mask(std::vector<std::string>& texts, const pii_masker& masker) {
  for (auto& text : texts)
    text = masker.mask(text);
}

void mask(std::vector<observation_ptr>& observations, const pii_masker& masker) {
  for (auto& x : observations) {
    if (!masker.finds_any(*x))
      continue;
    auto copy = std::make_shared<observation>(*x);
    masker.mask(*copy);
    x = observation_ptr{std::move(copy)};
  }
}

void mask(played_turn& x, const pii_masker& masker) {
  x.request.input = masker.mask(x.request.input);
  masker.mask(x.request.context);
  for (auto& call : x.request.plan)
    masker.mask(call.inputs);
  x.result.response = masker.mask(x.result.response);
  mask(x.result.questions, masker);
  mask(x.result.observations, masker);
  masker.mask(x.result.assessment);
  for (auto& goal : x.result.goals)
    masker.mask(goal);
  for (auto& action : x.result.pending_actions)
    action.description = masker.mask(action.description);
  for (auto& call : x.calls)
    call.error = masker.mask(call.error);
  x.scratchbook = masker.mask(x.scratchbook);
  for (auto& moment : x.model)
    moment.view = masker.mask(moment.view);
}

} // namespace

play_result masked(play_result x, const pii_masker& masker) {
  for (auto& turn : x.turns)
    mask(turn, masker);
  mask(x.observations, masker);
  for (auto& goal : x.goals)
    masker.mask(goal);
  for (auto& fact : x.facts)
    masker.mask(fact);
  mask(x.unmet, masker);
  return x;
}

} // namespace scratchpage
