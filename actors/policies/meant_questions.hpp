#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/observation.hpp"

/// Which of the questions on the page an input can be an answer to, before anybody reads its
/// words.

namespace scratchpage {

/// Whether `a` was added before `b`.
bool came_before(const observation& a, const observation& b);

/// Whether a question was asked of another user than the one who speaks, and that is not who
/// owns the agent.
bool is_of_another(const observation& asked, const observation& input);

/// Whether somebody who reads `input` may take it for an answer to the question: it was asked
/// before, waited when the input was said, and was shown in its thread or nobody knows where.
/// What the ensemble itself asked another user is not meant; whoever else names another user
/// may have asked this one all the same.
bool may_be_meant(const observation& question, const observation& input);

/// Whether `context.<key>` of the input is the id, or a list that has it.
bool names_id(const observation& input, std::string_view key, const std::string& id);

/// Whether a person says with `context.answers` which questions their words are the answer to.
/// Of what others pass on, that member means nothing.
bool names_answered(const observation& input);

/// Whether the input says which questions it is about, so that its words are the answer to no
/// others: it has `answers` as above, or `confirms` or `declines` that are not empty.
bool names_questions(const observation& input);

} // namespace scratchpage
