#pragma once

#include <cstddef>
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

/// Prints each event on one line: its time (UTC), its kind, the observation, and the content. On a
/// terminal every column has the same width in all lines, and longer texts are cut. Elsewhere
/// nothing is cut, and a column becomes as wide as its longest text so far.
class event_printer {
public:
  event_printer(std::ostream& out, const terminal_style& style);

  void print(const page_event& x);

private:
  std::ostream& out_;
  const terminal_style& style_;
  size_t id_width_;
  size_t type_width_;
};

} // namespace scratchpage
