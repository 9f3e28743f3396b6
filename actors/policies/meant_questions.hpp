#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The same, also of a question that has left the page, or was resolved, since it was asked: the
/// speaker may not know that, unless they settled it themself.
bool may_be_on_their_mind(const observation& question, const observation& input);

/// Whether both were put in the same turn.
bool is_in_one_turn(const observation& a, const observation& b);

/// Whether a question was put in the turn of `asked`, or later.
bool is_as_late(const observation& question, const observation& asked);

/// Whether words without a name that answer `asked` may be meant for `gone` instead, a question
/// that waits no longer and was put in the same turn or later. `last_spoke` is when whoever says
/// `input` spoke before in the thread, if they did: what they were told then says what waits since.
bool may_be_meant_instead(const observation& gone, const observation& asked,
  const observation& input, std::optional<timestamp> last_spoke);

/// The ids that `context.<key>` of the input has: one, or a list of them.
std::vector<std::string> ids_in(const observation& input, std::string_view key);

/// Whether `context.<key>` of the input is the id, or a list that has it.
bool names_id(const observation& input, std::string_view key, const std::string& id);

/// Whether a person says with `context.answers` which questions their words are the answer to.
/// Of what others pass on, that member means nothing.
bool names_answered(const observation& input);

/// Whether the input says which questions it is about, so that its words are the answer to no
/// others: it has `answers` as above, or `confirms` or `declines` that are not empty.
bool names_questions(const observation& input);

} // namespace scratchpage
