#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/commands/options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options of `scratchpage agents`. Of `agent`, the place and the form of the answer are used.
struct agents_options {
  agent_options agent;
  bool ids = false; ///< print ids only
  std::string limit;
};

/// What an agent has.
struct agent_summary {
  std::string agent;
  uint64_t live = 0;       ///< observations on the page that are not resolved and have not expired
  uint64_t open_turns = 0; ///< always 0 if no process has the agent open
  uint64_t open_goals = 0; ///< pending, in progress or blocked
  uint64_t changes = 0;    ///< of the page, since the agent exists
  std::optional<timestamp> last_activity; ///< absent: none yet
  std::optional<uint64_t> file_bytes;     ///< of its files; absent: unknown
  std::string problem;                    ///< why the rest is unknown; "": nothing is wrong

  static constexpr auto fields(auto all) {
    using self = agent_summary;
    return all(required("agent", &self::agent), required("live", &self::live),
      required("open_turns", &self::open_turns), required("open_goals", &self::open_goals),
      required("changes", &self::changes), optional("last_activity", &self::last_activity),
      optional("file_bytes", &self::file_bytes), optional("problem", &self::problem));
  }
};

/// Prints the agents of a directory or of a server. A directory that no process uses is only read;
/// otherwise the process that has it, or the server, is asked.
exit_code run_agents(const agents_options& options, const command_environment& environment);

} // namespace scratchpage
