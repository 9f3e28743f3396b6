#pragma once

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/cli/commands/add.hpp"

namespace scratchpage {

/// Adds the drafts of `options.file`, one JSON object a line, and writes a line
/// for each. One that is refused stops none of the others, and makes the end
/// `unmet`.
exit_code add_lines(
  const add_options& options, const caller& by, const command_environment& environment);

} // namespace scratchpage
