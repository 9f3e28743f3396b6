#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/tools/tool_definition.hpp"

namespace scratchpage {

/// The kinds of tool that a file can describe.
enum class tool_kind : uint8_t { process, recorded };

template <>
inline constexpr std::array<std::string_view, 2> enum_names<tool_kind>{"process", "recorded"};

/// A tool as configuration and scenario files write it: the manifest's fields,
/// the kind, and the fields of that kind. Spans are milliseconds.
struct tool_config : tool_manifest {
  tool_kind kind = tool_kind::recorded;

  // -- process
  std::vector<std::string> command;
  std::map<std::string, std::string> env;
  std::optional<std::string> working_directory;
  std::optional<uint64_t> max_line_bytes;
  std::optional<uint32_t> max_queued;
  std::optional<timespan> grace_ms;
  std::optional<timespan> min_backoff_ms;
  std::optional<timespan> max_backoff_ms;

  // -- recorded
  std::vector<recorded_response> responses;
  std::optional<scratchpage::after_last> after_last;
  std::optional<double> latency_ms;
  std::optional<latency_range> latency; ///< not together with `latency_ms`
  std::vector<recorded_fault> faults;

  static constexpr auto fields(auto all) {
    using self = tool_config;
    return tool_manifest::fields([&](const auto&... m) {
      return all(inherited<self>(m)..., required("kind", &self::kind),
        optional("command", &self::command), optional("env", &self::env),
        optional("working_directory", &self::working_directory),
        optional("max_line_bytes", &self::max_line_bytes),
        optional("max_queued", &self::max_queued), optional("grace_ms", &self::grace_ms),
        optional("min_backoff_ms", &self::min_backoff_ms),
        optional("max_backoff_ms", &self::max_backoff_ms),
        one_or_many("responses", &self::responses), optional("after_last", &self::after_last),
        optional("latency_ms", &self::latency_ms), optional("latency", &self::latency),
        one_or_many("faults", &self::faults));
    });
  }
};

/// The tool that `config` describes; the error is `invalid_request` and names
/// the field: one of another kind, or a value that `validate` refuses.
caf::expected<tool_definition> to_definition(tool_config config);

/// Reads one tool, strictly.
caf::expected<tool_definition> read_tool(const json::value& in);

} // namespace scratchpage
