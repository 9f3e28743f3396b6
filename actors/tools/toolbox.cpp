#include "scratchpage/actors/tools/toolbox.hpp"

#include <memory>
#include <utility>

#include <caf/sec.hpp>

#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// As trace entries name how an operation went (contract 10). "error" is one
/// that the tool itself reports.
std::string_view trace_status(const tool_response& response) {
  if (response.status == tool_status::ok)
    return "success";
  if (response.status == tool_status::partial)
    return "warning";
  if (response.status == tool_status::timeout)
    return name_of(errc::deadline_exceeded);
  const auto* value = response.outputs.if_contains("error_class");
  auto why = tool_failure::other;
  if (value == nullptr || !value->is_string() || !from_string(value->get_string(), why))
    return "error";
  switch (why) {
  case tool_failure::invalid_input:
    return name_of(errc::invalid_request);
  case tool_failure::not_found:
    return name_of(errc::not_found);
  case tool_failure::permission:
    return name_of(errc::forbidden);
  default:
    return "error";
  }
}

} // namespace

toolbox_state::toolbox_state(handle::pointer self, const agent_context& agent,
  uint32_t trace_number, std::vector<tool_definition> tools, toolbox_config config)
  : self_{self},
    clock_{agent.clock},
    tracer_{agent, "tools", trace_number},
    config_{config},
    invalid_{validate(tools)} {
  for (auto& tool : tools) {
    auto id = tool.manifest.tool_id;
    tools_[id].definition = std::move(tool);
  }
}

toolbox_state::~toolbox_state() {
  for (auto& [id, tool] : tools_)
    if (tool.actor)
      caf::anon_send_exit(tool.actor, caf::exit_reason::user_shutdown);
}

toolbox_state::handle::behavior_type toolbox_state::make_behavior() {
  if (invalid_)
    self_->quit(invalid_);
  return {[this](tool_request& x) { return accept(std::move(x)); },
    [this](const list_tools& x) { return list(x); }};
}

caf::result<tool_list> toolbox_state::list(const list_tools& request) {
  tool_list result;
  for (const auto& [id, tool] : tools_)
    result.tools.push_back(tool.definition.manifest);
  tracer_.write("list_tools", request.by, {{"tools", result.tools.size()}});
  return result;
}

caf::result<tool_response> toolbox_state::accept(tool_request request) {
  auto tool = tools_.find(request.tool_id);
  if (tool == tools_.end())
    return unknown(request);
  if (auto err = input_schema{tool->second.definition.manifest.inputs}.check(request.inputs))
    return refuse(request, tool_failure::invalid_input, "invalid input: " + describe(err));
  if (in_flight_ >= config_.max_in_flight) {
    auto response = overloaded_call(request, config_.max_in_flight);
    trace(request, response, clock_->now());
    return response;
  }
  ++in_flight_;
  call x{std::move(request), self_->make_response_promise<tool_response>(), clock_->now()};
  auto answer = x.answer;
  forward(tool->second, std::move(x));
  return answer;
}

void toolbox_state::forward(slot& tool, call x) {
  if (!tool.actor)
    tool.actor =
      spawn_tool(self_->system(), tool.definition, {config_.seed, config_.allow_threads});
  auto timeout = call_timeout(x.request, tool.definition.manifest);
  x.request.timeout_ms = in_milliseconds(timeout);
  auto asked = tool.actor;
  auto shared = std::make_shared<call>(std::move(x));
  auto request = shared->request;
  request.cause.reset();
  ask(self_, asked, timeout, std::move(request))
    .then(
      [this, shared](tool_response& response) { finish(std::move(*shared), std::move(response)); },
      [this, &tool, asked, shared](
        const caf::error& err) { on_failure(tool, asked, std::move(*shared), err); });
}

void toolbox_state::on_failure(slot& tool, const tool_actor& asked, call x, const caf::error& err) {
  if (err == caf::sec::request_timeout) {
    auto response = timed_out_call(x.request, call_timeout(x.request, tool.definition.manifest));
    return finish(std::move(x), std::move(response));
  }
  // The tool is gone, or is no tool; the next call gets a new one.
  if (tool.actor == asked) {
    caf::anon_send_exit(tool.actor, caf::exit_reason::user_shutdown);
    tool.actor = nullptr;
  }
  // A request that nobody took out of the mailbox has done nothing yet.
  if (err == caf::sec::request_receiver_down && !std::exchange(x.retried, true))
    return forward(tool, std::move(x));
  auto response = failed_call(x.request, tool_failure::transient,
    x.request.tool_id + " ended before it answered: " + describe(err));
  finish(std::move(x), std::move(response));
}

void toolbox_state::finish(call x, tool_response response) {
  --in_flight_;
  response.request_id = x.request.request_id;
  response.scratch_page_context = x.request.scratch_page_context;
  trace(x.request, response, x.started);
  x.answer.deliver(std::move(response));
}

tool_response toolbox_state::refuse(
  const tool_request& request, tool_failure why, std::string_view text) {
  auto response = failed_call(request, why, text);
  trace(request, response, clock_->now());
  return response;
}

tool_response toolbox_state::unknown(const tool_request& request) {
  std::string known;
  for (const auto& [id, tool] : tools_)
    known.append(known.empty() ? "" : ", ").append(id);
  return refuse(request, tool_failure::not_found,
    "tool " + printable(request.tool_id) + " not found; known are "
      + (known.empty() ? "none" : known));
}

void toolbox_state::trace(
  const tool_request& request, const tool_response& response, timestamp started) {
  if (!tracer_.enabled())
    return;
  json::object detail;
  detail["request_id"] = request.request_id;
  detail["tool_id"] = request.tool_id;
  detail["attempt"] = request.attempt;
  detail["status"] = to_string(response.status);
  for (auto member : {"error", "error_class"})
    if (const auto* value = response.outputs.if_contains(member))
      detail[member] = *value;
  tracer_.write("call_tool",
    as_tool(request.tool_id, turn_of(request.request_id), request.cause.value_or(0)),
    std::move(detail), trace_status(response), started);
}

} // namespace scratchpage
