#include "scratchpage/actors/tools/toolbox.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <caf/sec.hpp>

#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"

namespace scratchpage {

namespace {

/// The status of the call's trace entry (contract 10). "error" is an error that the tool itself
/// reports.
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
  uint32_t trace_number, std::vector<tool_definition> tools, toolbox_config config,
  std::vector<tool_source> sources)
  : self_{self},
    clock_{agent.clock},
    tracer_{agent, "tools", trace_number},
    config_{config},
    invalid_{validate(tools)},
    work_{agent.work()} {
  for (auto& tool : tools) {
    auto id = tool.manifest.tool_id;
    auto& added = tools_[id];
    added.manifest = tool.manifest;
    added.definition = std::move(tool);
  }
  for (auto& source : sources)
    sources_.push_back({std::move(source), {}, {}});
  list_all();
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

// -- listing --------------------------------------------------------------------------

caf::result<tool_list> toolbox_state::list(const list_tools& request) {
  auto x = std::make_shared<listing>();
  x->request = request;
  x->answer = self_->make_response_promise<tool_list>();
  x->missing = sources_.size();
  x->works = work_.begin();
  for (auto& source : sources_)
    ask_source(source, x);
  if (sources_.empty())
    finish(x);
  return x->answer;
}

void toolbox_state::ask_source(known_source& source, const listing_ptr& x) {
  auto answered = [this, x] {
    if (--x->missing == 0)
      finish(x);
  };
  ask(self_, source.from.tools, from_milliseconds(config_.list_ms), x->request)
    .then(
      [this, &source, answered](tool_list& found) {
        take_tools(source, std::move(found.tools));
        answered();
      },
      [this, x, answered](const caf::error& err) {
        tracer_.write_error("list_tools", x->request.by, err);
        answered();
      });
}

void toolbox_state::take_tools(known_source& source, manifest_list found) {
  if (found == source.told)
    return;
  source.tools.clear();
  for (const auto& manifest : found)
    if (manifest->tool_id.starts_with(source.from.prefix) && !tools_.contains(manifest->tool_id)
        && !validate(*manifest))
      source.tools.emplace(manifest->tool_id, manifest);
  source.told = std::move(found);
  list_all();
}

void toolbox_state::list_all() {
  std::map<std::string, manifest_ptr> all;
  for (const auto& [id, tool] : tools_)
    all.emplace(id, tool.manifest);
  for (const auto& source : sources_)
    all.insert(source.tools.begin(), source.tools.end());
  all_.clear();
  all_.reserve(all.size());
  for (const auto& [id, manifest] : all)
    all_.push_back(manifest);
}

void toolbox_state::finish(const listing_ptr& x) {
  tracer_.write("list_tools", x->request.by, {{"tools", all_.size()}});
  x->answer.deliver(tool_list{all_});
}

// -- calling --------------------------------------------------------------------------

caf::result<tool_response> toolbox_state::accept(tool_request request) {
  auto tool = tools_.find(request.tool_id);
  auto* source = tool == tools_.end() ? source_of(request.tool_id) : nullptr;
  if (tool == tools_.end() && source == nullptr)
    return unknown(request);
  const tool_manifest* manifest = nullptr;
  if (source == nullptr)
    manifest = &tool->second.definition.manifest;
  else if (auto known = source->tools.find(request.tool_id); known != source->tools.end())
    manifest = known->second.get();
  if (auto err = check(request, manifest))
    return refuse(request, tool_failure::invalid_input, "invalid input: " + describe(err));
  if (in_flight_ >= config_.max_in_flight) {
    auto response = overloaded_call(request, config_.max_in_flight);
    trace(request, response, clock_->steady());
    return response;
  }
  ++in_flight_;
  call x{std::move(request), self_->make_response_promise<tool_response>(), clock_->steady(),
    work_.begin()};
  auto answer = x.answer;
  if (source != nullptr)
    pass_on(*source, manifest, std::move(x));
  else
    forward(tool->second, std::move(x));
  return answer;
}

toolbox_state::known_source* toolbox_state::source_of(const std::string& tool_id) {
  auto found = std::find_if(sources_.begin(), sources_.end(),
    [&](const known_source& x) { return tool_id.starts_with(x.from.prefix); });
  return found != sources_.end() ? &*found : nullptr;
}

/// Checks the inputs. Without a manifest, the source checks them.
caf::error toolbox_state::check(const tool_request& request, const tool_manifest* manifest) const {
  return manifest != nullptr ? input_schema{manifest->inputs}.check(request.inputs) : caf::error{};
}

/// Passes the call on to its source. The source keeps the timeout itself, and its answer to a late
/// call has more details; so this waits a second longer.
void toolbox_state::pass_on(const known_source& source, const tool_manifest* manifest, call x) {
  auto timeout = call_timeout(x.request, manifest != nullptr ? *manifest : tool_manifest{});
  x.request.timeout_ms = in_milliseconds(timeout);
  auto request = x.request;
  request.cause.reset();
  auto shared = std::make_shared<call>(std::move(x));
  ask(self_, source.from.tools, timeout + std::chrono::seconds{1}, std::move(request))
    .then(
      [this, shared](tool_response& response) { finish(std::move(*shared), std::move(response)); },
      [this, shared, timeout](const caf::error& err) {
        auto response =
          err == caf::sec::request_timeout
            ? timed_out_call(shared->request, timeout)
            : failed_call(shared->request, tool_failure::transient,
              shared->request.tool_id + " ended before it answered: " + describe(err));
        finish(std::move(*shared), std::move(response));
      });
}

/// Spawns the tool. A tool may need its own thread; if the system has none left, spawning would
/// throw and end the toolbox, so this is checked before.
caf::error toolbox_state::start(slot& tool) const {
  if (config_.allow_threads)
    if (auto err = check_threads(1))
      return err;
  tool.actor =
    spawn_tool(self_->system(), tool.definition, {config_.seed, config_.allow_threads, work_});
  return {};
}

void toolbox_state::forward(slot& tool, call x) {
  if (!tool.actor) {
    if (auto err = start(tool)) {
      auto failed = failed_call(x.request, tool_failure::transient, describe(err));
      return finish(std::move(x), std::move(failed));
    }
  }
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
  // The tool has ended or does not answer as a tool; the next call gets a new one.
  if (tool.actor == asked) {
    caf::anon_send_exit(tool.actor, caf::exit_reason::user_shutdown);
    tool.actor = nullptr;
  }
  // The tool had not taken the request from its mailbox, so making the call again is safe.
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
  trace(request, response, clock_->steady());
  return response;
}

tool_response toolbox_state::unknown(const tool_request& request) {
  std::vector<std::string> known;
  for (const auto& [id, tool] : tools_)
    known.push_back(id);
  for (const auto& source : sources_)
    for (const auto& [id, manifest] : source.tools)
      known.push_back(id);
  auto response = unknown_tool(request, std::move(known));
  trace(request, response, clock_->steady());
  return response;
}

void toolbox_state::trace(
  const tool_request& request, const tool_response& response, timespan started) {
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
