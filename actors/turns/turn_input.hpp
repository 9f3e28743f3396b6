#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// How a turn's plan travels on the page: in the metadata of its `user_input`.
/// TURNS writes it, the CLARIFIER and the EXECUTOR read it.
void write_plan(observation_draft& input, const std::vector<planned_call>& plan);

/// The plan of a `user_input`; empty if it has none, an error if it is malformed.
caf::expected<std::vector<planned_call>> read_plan(const observation& input);

/// How an input says that whoever owns the agent said it, who may answer what any user is
/// asked. TURNS writes it, the EXECUTOR reads it.
void write_owner(observation_draft& input);

/// The `user_input` that a `routing_decision` names, or "".
std::string input_of(const observation& routing_decision);

/// Who acts when a daemon does what `input` says: whoever said it, in the daemon's turn.
caller speaker_of(const observation& input, const caller& me);

/// Whether the Router decided it, which alone says that a turn's work may begin. A Router of
/// the embedding program's own has its name, which nobody outside is let in under.
bool is_routers_decision(const observation& x);

/// Whether the Error Handler planned it, which alone brings a call back; its name as above.
bool is_handlers_plan(const observation& x);

/// Whether the Executor says in it that calls have failed, which nobody else knows of them; its
/// name as above.
bool is_executors_alert(const observation& x);

/// Whether the Evaluator judged a turn in it, which alone says how the turn went; its name as
/// above.
bool is_evaluators_result(const observation& x);

/// Whether the tool answered a call of the Executor with it. A `tool_result` of a daemon, or one
/// that a tool from outside adds, which may name no call, says nothing about a call.
bool is_result_of_call(const observation& x);

/// Says of what the Executor observes that the user answered a question and was not heard.
void write_unheard(observation_draft& told);

/// Whether the Executor says that in it; its name as above.
bool is_about_unheard(const observation& x);

/// Looks for the questions of anybody that were asked since and have left the page, however they
/// did: who answers in words may have them in mind.
list_archive questions_gone_since(const caller& by, timestamp since);

/// The same of those that were asked in a turn, at whatever time.
list_archive questions_gone_of(const caller& by, std::string turn_id);

/// The context of what a daemon observes about an input: those of its ids by which somebody
/// finds or relates observations, each of at most `turn_limits::id_bytes`. The rest stays
/// with the input; above all `pending_action_id`, since whoever begins a turn chooses it and
/// an answer to a question that had it would complete that action.
json::object context_about(const observation& input);

/// How calls that waited for the user's consent are added to a turn's plan: in
/// the metadata of its `execution_plan`.
void write_resumed(observation_draft& plan, const std::vector<planned_call>& calls);

/// Those of an `execution_plan`; none if it names none.
std::vector<planned_call> read_resumed(const observation& plan);

/// A text member of `x`, or "".
std::string text_member(const json::object& x, std::string_view key);

} // namespace scratchpage
