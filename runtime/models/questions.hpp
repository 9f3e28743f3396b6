#pragma once

#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/messages/json/json.hpp"

/// What a model is told about a decision: a JSON object. Each text of somebody is a value beside
/// `from`, which says whose it is, and is never part of the system prompt. Texts and lists have the
/// bounds of `model_limits`.

namespace scratchpage::models {

json::object told(const routing_case& x);
json::object told(const clarifying_case& x);
json::object told(const recovery_case& x);
json::object told(const evaluation_input& x);
json::object told(const turn_story& x);

} // namespace scratchpage::models
