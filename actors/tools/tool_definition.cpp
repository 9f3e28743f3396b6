#include "scratchpage/actors/tools/tool_definition.hpp"

#include <cmath>
#include <set>
#include <utility>

#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/actors/tools/tool_actors.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

namespace {

caf::error refuse_member(std::string_view field, std::string_view expected) {
  return fail(errc::invalid_request, field, "expected " + std::string{expected});
}

caf::error validate_kind(const function_tool& x) {
  return x.call ? caf::error{} : refuse_member("call", "a function");
}

caf::error validate_kind(const process_tool& x) {
  if (x.command.empty() || x.command.front().empty())
    return refuse_member("command", "a program and its arguments");
  return x.max_line_bytes > 0 ? caf::error{} : refuse_member("max_line_bytes", "a number above 0");
}

bool is_latency(double ms) {
  return std::isfinite(ms) && ms >= 0;
}

caf::error validate_latency(const latency_range& x, const std::string& path) {
  return is_latency(x.min_ms) && is_latency(x.max_ms) && x.min_ms <= x.max_ms
           ? caf::error{}
           : refuse_member(path, "0 <= min_ms <= max_ms");
}

caf::error validate_response(const recorded_response& x, const std::string& path) {
  if (x.latency && x.latency_ms)
    return refuse_member(path + ".latency", "either latency or latency_ms");
  if (x.latency_ms && !is_latency(*x.latency_ms))
    return refuse_member(path + ".latency_ms", "milliseconds, not negative");
  return x.latency ? validate_latency(*x.latency, path + ".latency") : caf::error{};
}

caf::error validate_kind(const recorded_tool& x) {
  if (auto err = validate_latency(x.latency, "latency"))
    return err;
  for (size_t i = 0; i < x.responses.size(); ++i)
    if (auto err = validate_response(x.responses[i], "responses[" + std::to_string(i) + "]"))
      return err;
  return {};
}

caf::error validate_kind(const actor_tool& x) {
  return x.make ? caf::error{} : refuse_member("make", "a function that makes an actor");
}

template <class Worker, class... Ts>
tool_actor spawn_worker(caf::actor_system& sys, bool detached, Ts&&... xs) {
  return detached ? spawn_detached<Worker>(sys, std::forward<Ts>(xs)...)
                  : spawn<Worker>(sys, std::forward<Ts>(xs)...);
}

/// Makes an actor for each kind of tool.
struct spawner {
  tool_actor operator()(const function_tool& x) const {
    serial_worker worker;
    worker.actor = spawn_worker<function_tool_state>(
      sys, x.detached && options.allow_threads, manifest.tool_id, x.call);
    return spawn<serial_tool_state>(sys, manifest, x.max_queued, std::move(worker), options.work);
  }

  tool_actor operator()(const process_tool& x) const {
    auto interrupt = std::make_shared<child_interrupt>();
    serial_worker worker;
    worker.actor =
      spawn_worker<process_tool_state>(sys, options.allow_threads, manifest, x, interrupt);
    worker.cancel = [interrupt] { interrupt->cancel(); };
    worker.stop = [interrupt] { interrupt->stop(); };
    return spawn<serial_tool_state>(sys, manifest, x.max_queued, std::move(worker), options.work);
  }

  tool_actor operator()(const recorded_tool& x) const {
    return spawn<recorded_tool_state>(sys, manifest, x, options.seed);
  }

  tool_actor operator()(const actor_tool& x) const { return x.make(sys); }

  caf::actor_system& sys;
  const tool_manifest& manifest;
  const tool_spawn_options& options;
};

/// The first given field that belongs to the other kind, or null.
const char* foreign_field(const tool_config& x) {
  const std::pair<const char*, bool> of_process[] = {
    {"command", !x.command.empty()},
    {"env", !x.env.empty()},
    {"working_directory", x.working_directory.has_value()},
    {"max_line_bytes", x.max_line_bytes.has_value()},
    {"max_queued", x.max_queued.has_value()},
    {"grace_ms", x.grace_ms.has_value()},
    {"min_backoff_ms", x.min_backoff_ms.has_value()},
    {"max_backoff_ms", x.max_backoff_ms.has_value()},
  };
  const std::pair<const char*, bool> of_recorded[] = {
    {"responses", !x.responses.empty()},
    {"after_last", x.after_last.has_value()},
    {"latency_ms", x.latency_ms.has_value()},
    {"latency", x.latency.has_value()},
    {"faults", !x.faults.empty()},
  };
  auto first = [](const auto& fields) -> const char* {
    for (const auto& [name, given] : fields)
      if (given)
        return name;
    return nullptr;
  };
  return x.kind == tool_kind::process ? first(of_recorded) : first(of_process);
}

process_tool process_of(tool_config x) {
  process_tool result;
  result.command = std::move(x.command);
  result.env = std::move(x.env);
  result.working_directory = x.working_directory.value_or("");
  result.max_line_bytes = x.max_line_bytes.value_or(result.max_line_bytes);
  result.max_queued = x.max_queued.value_or(result.max_queued);
  result.grace = x.grace_ms.value_or(result.grace);
  result.min_backoff = x.min_backoff_ms.value_or(result.min_backoff);
  result.max_backoff = x.max_backoff_ms.value_or(result.max_backoff);
  return result;
}

recorded_tool recorded_of(tool_config x) {
  recorded_tool result;
  result.responses = std::move(x.responses);
  result.after_last = x.after_last.value_or(result.after_last);
  result.latency = x.latency.value_or(result.latency);
  if (x.latency_ms)
    result.latency = {*x.latency_ms, *x.latency_ms};
  result.faults = std::move(x.faults);
  return result;
}

} // namespace

caf::error validate(const tool_manifest& x) {
  if (x.tool_id.empty())
    return refuse_member("tool_id", "a name that is not empty");
  if (!std::isfinite(x.timeout_ms) || x.timeout_ms <= 0)
    return refuse_member("timeout_ms", "milliseconds above 0");
  return input_schema{x.inputs}.validate();
}

caf::error validate(const tool_definition& x) {
  if (auto err = validate(x.manifest))
    return err;
  return std::visit([](const auto& kind) { return validate_kind(kind); }, x.kind);
}

caf::error validate(const std::vector<tool_definition>& tools) {
  std::set<std::string> ids;
  for (const auto& tool : tools) {
    if (auto err = validate(tool))
      return err;
    if (!ids.insert(tool.manifest.tool_id).second)
      return refuse_member(
        "tool_id", "each tool once, but " + tool.manifest.tool_id + " is there twice");
  }
  return {};
}

tool_actor spawn_tool(
  caf::actor_system& sys, const tool_definition& definition, const tool_spawn_options& options) {
  return std::visit(spawner{sys, definition.manifest, options}, definition.kind);
}

caf::expected<tool_definition> to_definition(tool_config config) {
  if (const auto* field = foreign_field(config))
    return fail(errc::invalid_request, field,
      "no such field of a tool of the kind " + to_string(config.kind));
  if (config.latency && config.latency_ms)
    return fail(errc::invalid_request, "latency", "expected either latency or latency_ms");
  tool_definition result;
  result.manifest = config;
  if (config.kind == tool_kind::process)
    result.kind = process_of(std::move(config));
  else
    result.kind = recorded_of(std::move(config));
  if (auto err = validate(result))
    return err;
  return result;
}

caf::expected<tool_definition> read_tool(const json::value& in) {
  auto config = from_json<tool_config>(in);
  if (!config)
    return config.error();
  return to_definition(std::move(*config));
}

} // namespace scratchpage
