#pragma once

#include <string>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

struct page_options {
  std::string data; ///< of the server; "": the usual place
};

/// Prints an address of the server on that data directory, with a key that lets the user of
/// this machine in as a person, in a browser, once. The server makes it for whoever may open
/// its local socket.
exit_code run_page(const page_options& options, const command_environment& environment);

} // namespace scratchpage
