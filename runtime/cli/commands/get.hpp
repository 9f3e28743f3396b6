#pragma once

#include <string>

#include "scratchpage/runtime/cli/commands/agent_options.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage get`.
struct get_options {
  agent_options agent;
  std::string observation_id;
};

/// One observation of the page; `unmet` if it is not there.
exit_code run_get(const get_options& options, const command_environment& environment);

} // namespace scratchpage
