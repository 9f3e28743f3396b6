#pragma once

#include <iosfwd>
#include <string_view>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

/// Prints observations and events for people.

namespace scratchpage {

/// Prints one line for each observation, then their number and the rest of the answer. `more` says
/// how to see further ones; "" if there are none.
void print_found(
  std::ostream& out, const terminal_style& style, const query_result& found, std::string_view more);

/// Prints all fields of one observation.
void print_whole(std::ostream& out, const terminal_style& style, const observation& x);

/// Prints an event on one line that fits the terminal: its time (UTC), its kind, the observation,
/// and the beginning of the content.
void print_event(std::ostream& out, const terminal_style& style, const page_event& x);

} // namespace scratchpage
