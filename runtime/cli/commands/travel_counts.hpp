#pragma once

#include "scratchpage/persistence/transfer/export_lines.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// What an export or import had: a sentence for people, an object in JSON.
void print_counts(const end_line& counts, bool json, const command_environment& environment);

} // namespace scratchpage
