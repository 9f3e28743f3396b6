#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// A question to the user whether one call may be made, as it waits on the page:
/// a `pending_confirmation` of the Executor.
struct consent_question {
  planned_call call;           ///< the call that waits, ready to be made
  std::string user;            ///< who is asked; nobody else can answer
  std::string alert_id;        ///< the `security_alert` about it, "" if none was stored
  std::string planned_by = {}; ///< who relayed the turn that planned it, "" if the user did
};

/// The question as an observation. `reason` is the mandate's. The text shows the inputs, without
/// the values of `secret` ones, and says how many bytes of them it leaves out; it also says which
/// observations the tool will be given.
observation_draft draft_of(const consent_question& x, const std::string& reason,
  const std::vector<std::string>& secret, double ttl_minutes);

/// The same question once more, after an answer that may have been meant for another one. The text
/// says how to answer without a doubt.
observation_draft asked_again(const observation& asked, double ttl_minutes);

/// The question that `x` asks; nothing if it is anything else. Only observations of the Executor
/// are read: anybody else who asked would choose the call that a "yes" allows.
std::optional<consent_question> read_consent_question(const observation& x);

/// Whether the owner of the agent said the input. TURNS marks such inputs, and nobody else can.
bool is_by_owner(const observation& input);

/// Whether both call the same tool with the same inputs, and give it the same observations.
bool is_same_call(const planned_call& a, const planned_call& b);

// -- which questions an input can answer, before its words are read -----------------------------

/// Whether `a` was added before `b`.
bool came_before(const observation& a, const observation& b);

/// Whether the question was put to another user than the speaker of `input`, who is not the owner
/// of the agent either.
bool is_of_another(const observation& asked, const observation& input);

/// Whether a reader may take `input` for an answer to the question: the question was put before,
/// was open when the input was said, and belongs to the thread of the input or to none. A question
/// that the ensemble put to another user does not count. Other sources may name another user and
/// still ask this one, so theirs count.
bool may_be_meant(const observation& question, const observation& input);

/// As `may_be_meant`, but also true for a question that was resolved or has left the page since:
/// the speaker may not know that, unless they settled it themselves.
bool may_be_on_their_mind(const observation& question, const observation& input);

/// Whether both were put in the same turn.
bool is_in_one_turn(const observation& a, const observation& b);

/// Whether a question was put in the turn of `asked`, or later.
bool is_as_late(const observation& question, const observation& asked);

/// Whether words that answer `asked`, and name no question, may be meant for `gone`: a question
/// that is no longer open and was put in the same turn or later. `last_spoke` is when the speaker
/// of `input` spoke before in the thread, if they did: they know of the questions that were settled
/// before that.
bool may_be_meant_instead(const observation& gone, const observation& asked,
  const observation& input, std::optional<timestamp> last_spoke);

/// The ids in `context.<key>` of the input, which is one id or a list of them.
std::vector<std::string> ids_in(const observation& input, std::string_view key);

/// Whether `context.<key>` of the input is the id, or a list that has it.
bool names_id(const observation& input, std::string_view key, const std::string& id);

/// Whether a person says with `context.answers` which questions their words answer. In relayed
/// inputs that member means nothing.
bool names_answered(const observation& input);

/// Whether the input names the questions it is about, so that its words answer no others: it has
/// `answers` as above, or `confirms` or `declines` that are not empty.
bool names_questions(const observation& input);

} // namespace scratchpage
