#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <caf/fwd.hpp>

#include "scratchpage/actors/tools/recording.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/tool.hpp"

namespace scratchpage {

/// A tool that is a C++ function. What it throws becomes status `error`.
using tool_function = std::function<tool_response(const tool_request&)>;

struct function_tool {
  tool_function call;
  bool detached = false;  ///< it blocks: give it a thread of its own
  size_t max_queued = 64; ///< calls that wait for the one that runs; above: overloaded
};

/// A tool that is a program: one request a line on its standard input, one
/// response a line on its standard output, both as JSON (contract 6).
struct process_tool {
  std::vector<std::string> command;       ///< the program, looked up in PATH, and its arguments
  std::map<std::string, std::string> env; ///< on top of this process's own
  std::string working_directory;          ///< "": this process's own
  size_t max_line_bytes = 1u << 20;       ///< of a response
  size_t max_queued = 64;
  timespan grace = std::chrono::milliseconds{500};       ///< from SIGTERM to SIGKILL
  timespan min_backoff = std::chrono::milliseconds{100}; ///< before the first restart; doubles
  timespan max_backoff = std::chrono::seconds{10};
};

/// A tool that is an actor of one's own, made again if it dies. The toolbox
/// ends it when it ends itself.
struct actor_tool {
  std::function<tool_actor(caf::actor_system&)> make;
};

/// How to make a tool.
struct tool_definition {
  tool_manifest manifest;
  std::variant<function_tool, process_tool, recorded_tool, actor_tool> kind;
};

/// Whether a tool can be made from `x`; the error is `invalid_request` and
/// names the field.
caf::error validate(const tool_definition& x);
caf::error validate(const tool_manifest& x);

/// As above for each, and no id twice.
caf::error validate(const std::vector<tool_definition>& tools);

/// How tools are spawned.
struct tool_spawn_options {
  uint64_t seed = 0;         ///< of recorded tools' latencies
  bool allow_threads = true; ///< false under virtual time: what blocks then blocks the driver
};

/// Makes the tool. The caller ends it.
tool_actor spawn_tool(
  caf::actor_system& sys, const tool_definition& definition, const tool_spawn_options& options);

} // namespace scratchpage
