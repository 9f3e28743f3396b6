#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <caf/expected.hpp>
#include <caf/fwd.hpp>

#include "scratchpage/actors/base/work_marks.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/tool.hpp"

/// The definitions of tools, and the answers of recorded tools (contract 6). Configuration and
/// scenario files use the same fields.

namespace scratchpage {

/// Milliseconds. The seed picks a whole number from the range, each with the same probability.
struct latency_range {
  double min_ms = 0;
  double max_ms = 0;

  static constexpr auto fields(auto all) {
    return all(
      required("min_ms", &latency_range::min_ms), required("max_ms", &latency_range::max_ms));
  }
};

enum class fault_kind : uint8_t {
  timeout,          ///< answers a second after the call's timeout, or after `latency_ms`
  error,            ///< answers `error`, at once or after `latency_ms`
  malformed_writes, ///< gives the recorded answer, and adds drafts that break rules
};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<fault_kind>{
  "timeout", "error", "malformed_writes"};

/// A fault to inject. A timeout or an error replaces a recorded answer without using it up: the
/// retry gets that answer.
struct recorded_fault {
  fault_kind fault = fault_kind::error;
  uint32_t on_attempt = 1; ///< 0: every attempt
  std::string error;       ///< the text of an error; "": "injected fault"
  std::optional<double> latency_ms;
  std::vector<json::value> scratch_page_writes; ///< the malformed drafts; none: two built-in ones

  static constexpr auto fields(auto all) {
    using self = recorded_fault;
    return all(required("fault", &self::fault), optional("on_attempt", &self::on_attempt),
      optional("error", &self::error), optional("latency_ms", &self::latency_ms),
      one_or_many("scratch_page_writes", &self::scratch_page_writes));
  }
};

/// One recorded answer. With a `call_id` it is for the calls with that id, else for the next call.
struct recorded_response {
  std::string call_id; ///< a request id, or the part after its last '/'
  tool_status status = tool_status::ok;
  json::object outputs;
  std::vector<json::value> observations;
  std::vector<json::value> scratch_page_writes;
  std::vector<json::value> memory_writes;
  std::optional<double> latency_ms;     ///< without it `latency` counts, else the tool's latency
  std::optional<latency_range> latency; ///< not together with `latency_ms`
  std::vector<recorded_fault> faults;   ///< for the call that gets this answer

  static constexpr auto fields(auto all) {
    using self = recorded_response;
    return all(optional("call_id", &self::call_id), optional("status", &self::status),
      optional("outputs", &self::outputs), one_or_many("observations", &self::observations),
      one_or_many("scratch_page_writes", &self::scratch_page_writes),
      one_or_many("memory_writes", &self::memory_writes), optional("latency_ms", &self::latency_ms),
      optional("latency", &self::latency), one_or_many("faults", &self::faults));
  }
};

/// What a call gets when all answers are used up.
enum class after_last : uint8_t {
  nothing, ///< status `partial`, with a note
  repeat,  ///< the last answer again
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<after_last>{"nothing", "repeat"};

struct recorded_tool {
  std::vector<recorded_response> responses;
  scratchpage::after_last after_last = scratchpage::after_last::nothing;
  latency_range latency;              ///< of answers that have none of their own
  std::vector<recorded_fault> faults; ///< for calls whose answer has no fault for the attempt
  size_t max_pending = 4096;          ///< calls that wait for their latency; above: overloaded
};

/// A tool that is a C++ function. If it throws, the answer has the status `error`.
using tool_function = std::function<tool_response(const tool_request&)>;

struct function_tool {
  tool_function call;
  bool detached = false;  ///< whether it gets its own thread, because it blocks
  size_t max_queued = 64; ///< calls that wait for the running one; above: overloaded
};

/// A tool that is a program. It reads one request per line from its standard input and writes one
/// response per line to its standard output, both as JSON (contract 6).
struct process_tool {
  std::vector<std::string> command;       ///< the program, looked up in PATH, and its arguments
  std::map<std::string, std::string> env; ///< added to this process's environment
  std::string working_directory;          ///< "": this process's own
  size_t max_line_bytes = 1u << 20;       ///< of a response
  size_t max_queued = 64;
  timespan grace = std::chrono::milliseconds{500};       ///< from SIGTERM to SIGKILL
  timespan min_backoff = std::chrono::milliseconds{100}; ///< before the first restart; doubles
  timespan max_backoff = std::chrono::seconds{10};
};

/// A tool that is an actor of the embedding program. It is made again if it ends; the toolbox ends
/// it when the toolbox ends.
struct actor_tool {
  std::function<tool_actor(caf::actor_system&)> make;
};

/// How to make a tool.
struct tool_definition {
  tool_manifest manifest;
  std::variant<function_tool, process_tool, recorded_tool, actor_tool> kind;
};

/// Whether a tool can be made from `x`. The error is `invalid_request` and names the field.
caf::error validate(const tool_definition& x);
caf::error validate(const tool_manifest& x);

/// Validates each tool; two tools must not have the same id.
caf::error validate(const std::vector<tool_definition>& tools);

/// How tools are spawned.
struct tool_spawn_options {
  uint64_t seed = 0;         ///< of recorded tools' latencies
  bool allow_threads = true; ///< false under virtual time: tools that block then block the test
  work_count work = {};      ///< counts a call that goes on after its timeout
};

/// Spawns the tool. The caller has to end it.
tool_actor spawn_tool(
  caf::actor_system& sys, const tool_definition& definition, const tool_spawn_options& options);

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

/// The tool that `config` describes. The error is `invalid_request` and names the field: one that
/// belongs to another kind, or one that `validate` refuses.
caf::expected<tool_definition> to_definition(tool_config config);

/// Reads one tool. Unknown fields are errors.
caf::expected<tool_definition> read_tool(const json::value& in);

} // namespace scratchpage
