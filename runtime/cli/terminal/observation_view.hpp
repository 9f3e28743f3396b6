#pragma once

#include <iosfwd>
#include <string_view>

#include "scratchpage/messages/query.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

/// Observations for people.

namespace scratchpage {

/// A line each, then how many there are and what else the answer says; `more`
/// tells how to see what is left, if there is more.
void print_found(
  std::ostream& out, const terminal_style& style, const query_result& found, std::string_view more);

/// All of one.
void print_whole(std::ostream& out, const terminal_style& style, const observation& x);

} // namespace scratchpage
