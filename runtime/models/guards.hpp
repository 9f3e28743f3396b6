#pragma once

#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/actors/policies/recovery_policy.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/models/answers.hpp"

/// Makes a decision of a model's answer, within what the rules allow. `rules` is what the rules
/// decide. The error names the member of the answer and what was expected; then the rules decide.

namespace scratchpage::models {

/// The answer may name alerts of the page only. Alerts that the rules find stay, and so does the
/// urgency that they call for.
caf::expected<urgency_assessment> decided(
  const router_answer& x, const routing_case& about, const urgency_assessment& rules);

/// The questions take the place of the rules' question about the input itself. What the rules ask
/// about calls stays. None of them is a question for consent: only the Executor asks those.
caf::expected<std::vector<question>> decided(
  const clarifier_answer& x, const clarifying_case& about, const std::vector<question>& rules);

/// The action must be one that the rules could choose for such a call.
caf::expected<recovery> decided(const error_handler_answer& x, const recovery_case& about,
  const recovery& rules, const recovery_policy& policy);

/// What the rules hold against a turn by its calls, outputs, questions and reviews cannot become
/// `complete`, and an observation that they send back is not resolved.
caf::expected<evaluation> decided(
  const evaluator_answer& x, const evaluation_input& about, const evaluation& rules);

/// Lessons are added to those of the rules. Each must quote words that a user said in an
/// observation of the turn. `masker`: null, or what has masked what the model was told.
caf::expected<std::vector<turn_lesson>> decided(const reflector_answer& x, const turn_story& about,
  const std::vector<turn_lesson>& rules, const pii_masker* masker);

} // namespace scratchpage::models
