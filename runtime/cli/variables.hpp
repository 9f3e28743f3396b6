#pragma once

#include <caf/error.hpp>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace CLI {
class App;
} // namespace CLI

namespace scratchpage {

// Variables of the environment that stand for options of commands. An empty one is unset.

inline constexpr auto agent_variable = "SCRATCHPAGE_AGENT";
inline constexpr auto data_variable = "SCRATCHPAGE_DATA";
inline constexpr auto server_variable = "SCRATCHPAGE_SERVER";

/// Sets the options of a parsed command that were not given from the variables, and notes that in
/// `environment.from_variables`. Options win: `--data` or `--config` over a server of the
/// environment, `--server` over its data directory. Error: `invalid_request` if the variables
/// contradict each other. A command without `--server` ignores the server.
caf::error take_variables(CLI::App& command, command_environment& environment);

} // namespace scratchpage
