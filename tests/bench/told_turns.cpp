#include "scratchpage/tests/bench/told_turns.hpp"

#include <tuple>
#include <utility>
#include <variant>

#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/reply_reading.hpp"
#include "scratchpage/actors/policies/response_reading.hpp"
#include "scratchpage/actors/policies/wish_reading.hpp"
#include "scratchpage/runtime/simulation/conversation.hpp"
#include "scratchpage/runtime/simulation/input_file.hpp"

namespace scratchpage::bench {

namespace {

observation_ptr observed(std::string type, source_kind by, std::string content) {
  observation result;
  result.observation_id = "obs_1";
  result.type = std::move(type);
  result.content = std::move(content);
  result.confidence = 1;
  result.source.kind = by;
  result.source.name = by == source_kind::user ? "user" : "assistant";
  return observation_ptr{std::move(result)};
}

call_record record_of(const planned_call& call, const replay_turn& turn) {
  call_record result;
  result.call_id = call.call_id;
  result.planned_tool = result.tool_id = call.tool_id;
  result.inputs = call.inputs;
  for (const auto& message : turn.messages)
    if (message.role == chat_role::tool && message.call_id == call.call_id) {
      auto has_failed = message.content.starts_with("Error");
      result.outcome = has_failed ? call_outcome::failed : call_outcome::succeeded;
      if (has_failed)
        result.error = message.content;
      else
        result.outputs["text"] = message.content;
    }
  return result;
}

recovery_case failure_of(const call_record& call) {
  recovery_case result;
  result.what.call_id = call.call_id;
  result.what.tool_id = call.tool_id;
  result.what.error = call.error;
  result.alert = observed("error_alert", source_kind::daemon, call.error);
  return result;
}

told_turn told(const replay_turn& turn, const told_turn* last) {
  told_turn result;
  auto input = observed("user_input", source_kind::user, turn.request.input);
  result.routing.input = result.clarifying.input = input;
  result.clarifying.plan = turn.request.plan;
  result.response = turn.recorded_response;
  if (last != nullptr) {
    result.before = last->response;
    result.clarifying.earlier = {last->story.input, last->response};
  }
  for (const auto& call : turn.request.plan) {
    result.evaluating.calls.push_back(record_of(call, turn));
    if (const auto& made = result.evaluating.calls.back(); made.outcome == call_outcome::failed)
      result.failures.push_back(failure_of(made));
  }
  result.evaluating.input = result.story.input = turn.request.input;
  result.evaluating.response = result.response;
  result.story.turn_id = "turn_1";
  result.story.calls = result.evaluating.calls;
  result.story.observations = {
    input, observed("agent_response", source_kind::daemon, result.response)};
  return result;
}

std::vector<told_turn> turns_of(const std::vector<conversation>& all) {
  std::vector<told_turn> result;
  for (const auto& one : all) {
    auto begins = true;
    for (const auto& step : one.steps)
      if (const auto* turns = std::get_if<turns_step>(&step.what))
        for (const auto& turn : turns->turns) {
          result.push_back(told(turn, begins ? nullptr : &result.back()));
          begins = false;
        }
  }
  return result;
}

} // namespace

caf::expected<std::vector<told_turn>> read_told_turns(
  const std::vector<std::filesystem::path>& files) {
  auto read = read_inputs(files);
  if (!read)
    return read.error();
  auto turns = turns_of(read->conversations);
  if (turns.empty())
    return fail(errc::invalid_request, "transcripts", "expected a file with turns");
  return turns;
}

void deciding::decide(const told_turn& x) {
  router_->decide(x.routing, [](const auto&) {});
  clarifier_->decide(x.clarifying, [](const auto&) {});
  auto asked = read_response(x.before);
  if (asked.waits)
    std::ignore = read_reply(x.evaluating.input, *asked.waits, asked.question);
  std::ignore = read_wishes(x.evaluating.input, x.before, asked.waits.has_value());
  std::ignore = read_response(x.response);
  for (const auto& call : x.evaluating.calls)
    std::ignore = read_deed(call.tool_id, call.inputs, call.outputs, std::nullopt);
  for (const auto& failure : x.failures)
    error_handler_->decide(failure, [](const auto&) {});
  evaluator_->decide(x.evaluating, [](const auto&) {});
  reflector_->decide(x.story, [](const auto&) {});
  for (const auto& one : x.story.observations)
    std::ignore = promotion_.judge(*one);
}

} // namespace scratchpage::bench
