#include <utility>
#include <vector>

#include "scratchpage/actors/turns/turn_rules.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/api/handler.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"

/// The operations of turns.

namespace scratchpage {

namespace {

answer_of<turn_result> begin(
  operation_run& run, const turns_actor& turns, arguments_of<begin_turn> given) {
  if (!given.agent_id.empty())
    return fail(errc::invalid_request, "agent_id", "expected none: the agent is known");
  begin_turn request = std::move(static_cast<begin_turn&>(given));
  request.by = run.by();
  if (request.thread_id.empty())
    request.thread_id = run.thread_id();
  return run.ask<turn_result>(turns, std::move(request), answer_time::of_turn);
}

caf::error check_beginning(const call_operation& x, const config&) {
  auto given = read_arguments<arguments_of<begin_turn>>(x.operation, json::value(x.arguments));
  if (!given)
    return given.error();
  given->by = x.by;
  return check_request(*given);
}

/// The actor that waits for the disk also reads the arguments.
template <class T>
caf::result<operation_answer> read_trace(operation_run& run) {
  auto reader = run.in().trace_reader();
  if (!reader)
    return reader.error();
  return run
    .ask_and_tell<T, operation_answer>(
      *reader, std::move(run.call()), [](const operation_answer& found) { return found.result; })
    .value;
}

bool is_always_there(const operations_parts&) {
  return true;
}

constexpr auto turns = &operations_parts::turns;

} // namespace

std::vector<operation> turn_operations() {
  using enum effect;
  using enum arguments_in;
  return {
    {.name = "begin_turn",
      .description = "Work on a user's input: answers urgency, questions, goals and what is known",
      .for_models = "Call it for each message of a user, before you answer. With hold you then "
                    "work, report_tool_call, and end_turn",
      .also_called = "start_turn new_turn send_message chat",
      .finds = "turn_id",
      .least = role::daemon,
      .does = changes,
      .routes = {{"POST", "/v1/agents/{agent}/turns", body}},
      .performed = performed_by<turns, begin>(),
      .check_first = check_beginning},
    {.name = "end_turn",
      .description = "End a turn that you hold, and get its result",
      .also_called = "finish_turn complete_turn answer",
      .least = role::daemon,
      .does = changes_once,
      .routes = {{"POST", "/v1/agents/{agent}/turns/{turn_id}/end", body}},
      .performed = passed_on<turns, end_turn, turn_result, answer_time::of_turn>()},
    {.name = "report_tool_call",
      .description =
        "Report a tool that you called in a held turn; if it failed, the answer says what to do",
      .also_called = "log_tool_call report_call tool_result",
      .least = role::daemon,
      .does = changes,
      .routes = {{"POST", "/v1/agents/{agent}/turns/{turn_id}/calls", body}},
      .performed = passed_on<turns, report_tool_call, reported_call>()},
    {.name = "await_turn",
      .description = "Wait for a turn, and get its result",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/turns/{turn_id}"}},
      .performed = passed_on<turns, await_turn, turn_result, answer_time::of_turn>()},
    {.name = "turns_list",
      .description = "Turns, open ones first, then the last",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/turns", query}},
      .performed = passed_on<turns, list_turns, turn_list>()},
    {.name = "turn_trace",
      .description = "What was done in a turn, and why",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/turns/{turn_id}/trace", query}},
      .resource = {{uri::trace, "trace",
        "What was done in a turn, and why; next_cursor tells of more"}},
      .performed = {argument_type_of<trace_query>(), answer_type_of<turn_trace>(), is_always_there,
        read_trace<turn_trace>}},
    {.name = traced_turns_query::name,
      .description = "Turns that have a trace, the latest first",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/trace/turns", query}},
      .performed = {argument_type_of<traced_turns_query>(), answer_type_of<traced_turn_list>(),
        is_always_there, read_trace<traced_turn_list>}},
    {.name = latest_entries_query::name,
      .description = "The last entries of the trace, of all turns",
      .least = role::daemon,
      .offered_to = audience::programs,
      .routes = {{"GET", "/v1/agents/{agent}/trace", query}},
      .performed = {argument_type_of<latest_entries_query>(), answer_type_of<latest_entries>(),
        is_always_there, read_trace<latest_entries>}},
  };
}

} // namespace scratchpage
