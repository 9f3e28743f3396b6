#pragma once

#include <iosfwd>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

/// An event for people, on one line that fits the terminal: when (UTC), what happened,
/// to which observation, and the beginning of its content.
void print_event(std::ostream& out, const terminal_style& style, const page_event& x);

} // namespace scratchpage
