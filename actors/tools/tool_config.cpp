#include "scratchpage/actors/tools/tool_config.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

/// The first field that is given and belongs to the other kind, or null.
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
