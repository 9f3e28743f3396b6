#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/waiting.hpp"

/// The questions that an agent asks in its responses, as observations (contract 14).

namespace scratchpage {

/// The question that a response asks the person of its turn; nothing if it asks nothing.
std::optional<observation_draft> question_in(const observation& response);

/// Whether `x` is a question of a response. Its kind is in `metadata.kind`.
bool is_response_question(const observation& x);

/// What the observation waits for, in the form in which turns tell it. A question of another daemon
/// or a tool waits for a confirmation if it is for consent, and otherwise for inputs.
waiting_question waiting_of(const observation& x);

/// How the input answers the question; nothing if it does not speak to it.
std::optional<answer_kind> answer_to(const observation& asked, const observation& input);

/// Resolves the question as the input's answer to it.
observation_changes answered(const observation& asked, const observation& input, answer_kind how);

/// What is noted when an input has not spoken to the question: it has waited for one input more,
/// and is archived after `most` of them.
observation_changes waited(const observation& asked, uint32_t most);

} // namespace scratchpage
