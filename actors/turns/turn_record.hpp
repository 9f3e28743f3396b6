#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/policies/call_plan.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// Writes a turn's plan into the metadata of its `user_input`, where the CLARIFIER and the EXECUTOR
/// read it.
void write_plan(observation_draft& input, const std::vector<planned_call>& plan);

/// The plan of a `user_input`; empty if it has none. Error: `invalid_request` if it is malformed.
caf::expected<std::vector<planned_call>> read_plan(const observation& input);

/// Marks an input as said by the owner of the agent, who may answer questions to any user. TURNS
/// writes it, and the EXECUTOR reads it.
void write_owner(observation_draft& input);

/// The id of the `user_input` that a `routing_decision` is about, or "".
std::string input_of(const observation& routing_decision);

/// The caller for requests that a daemon makes because of an input: the speaker of the input, in
/// the turn of `me`.
caller speaker_of(const observation& input, const caller& me);

/// Whether `x` is a `routing_decision` of the Router. Only such a decision starts the work of a
/// turn. The source's name is enough to tell: no caller from outside can use the name of a
/// component. The same holds for the functions below.
bool is_routers_decision(const observation& x);

/// Whether `x` is a `recovery_plan` of the Error Handler. Only such a plan restarts a call.
bool is_handlers_plan(const observation& x);

/// Whether `x` is an `error_alert` of the Executor, about failed calls.
bool is_executors_alert(const observation& x);

/// Whether `x` is an `evaluation_result` of the Evaluator. Only such a result decides the outcome
/// of a turn.
bool is_evaluators_result(const observation& x);

/// Whether `x` is a tool's result of a call of the Executor. A `tool_result` of a daemon, or of a
/// tool from outside, which cannot name a call, is not.
bool is_result_of_call(const observation& x);

/// Marks an observation of the Executor as one about answers of the user that were not taken.
void write_unheard(observation_draft& told);

/// Whether `x` is such an observation.
bool is_about_unheard(const observation& x);

/// A request for the questions of all sources that were put since then and have left the page. A
/// user who answers in words may have them in mind.
list_archive questions_gone_since(const caller& by, timestamp since);

/// A request for those that were put in a turn, at any time.
list_archive questions_gone_of(const caller& by, std::string turn_id);

/// The context for a daemon's observations about an input: the ids of the input's context that
/// relate observations, each of at most `turn_limits::id_bytes`. Other members are not copied. In
/// particular, `pending_action_id` is not: whoever begins a turn chooses it, and an answer to a
/// question that has it would complete that action.
json::object context_about(const observation& input);

/// Writes the calls that join a turn's plan, because the user has consented or a policy has added
/// them, into the metadata of its `execution_plan`.
void write_resumed(observation_draft& plan, const std::vector<planned_call>& calls);

/// These calls of an `execution_plan`.
std::vector<planned_call> read_resumed(const observation& plan);

/// A text member of `x`, or "".
std::string text_member(const json::object& x, std::string_view key);

/// How the calls of a turn went: the planned ones and those that joined the plan, in the order of
/// the plan. It is read from the turn's observations alone; a call without any was skipped.
std::vector<call_record> calls_of(const std::vector<observation_ptr>& turn);

/// The Executor's `execution_plan` in the turn, or null.
observation_ptr execution_of(const std::vector<observation_ptr>& turn);

/// The turn's first observation of that type that is not by a tool, or null.
observation_ptr first_of(const std::vector<observation_ptr>& turn, std::string_view type);

/// The turn's first observation of that type that is by this daemon, or null. Others may add
/// observations of the same type.
observation_ptr first_by(
  std::string_view daemon, const std::vector<observation_ptr>& turn, std::string_view type);

/// The text of a question for people. If it is not by the ensemble, it begins with the name of its
/// source.
std::string question_of(const observation& x);

/// Sets the members that the turn's observations tell: urgency, questions, assessment, response,
/// and, unless the turn has timed out, the status. Questions of the ensemble and its tools come
/// first; questions of others do not replace the Evaluator's summary. The response begins with the
/// warnings that the result has. `is_whole` is false if
/// observations of the ensemble are missing; the turn is then not complete without an assessment.
void read_outcome(turn_result& x, bool is_whole = true);

/// All observations that a turn has added so far, in the order in which they were added.
std::vector<observation_ptr> in_order(const turn_so_far& x);

/// The summary of a turn that has ended, from its episode.
turn_summary summary_of(const episode& x);

/// Adds the goals and their open actions to the result.
void take_goals(turn_result& to, std::vector<goal> goals);

/// The goals that have one of these observations as evidence.
std::vector<goal> those_about(
  const std::vector<observation_ptr>& observations, std::vector<goal> goals);

/// About how many bytes of memory the result takes.
size_t memory_of(const turn_result& x);

} // namespace scratchpage
