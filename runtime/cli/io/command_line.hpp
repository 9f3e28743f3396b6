#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// What the program's ends mean.
enum class exit_code : int {
  ok = 0,        ///< everything was done, every expectation was met
  unmet = 1,     ///< an expectation was not met, not all was done, or the run itself broke
  bad_input = 2, ///< a usage error, or an input that cannot be read
};

/// The process around the command line, so that tests can be one.
struct command_environment {
  std::ostream& out;
  std::ostream& err;
  terminal_style out_style;
  terminal_style err_style;
  bool show_progress = false;     ///< `err` is a terminal
  std::function<double()> now_ms; ///< the wall clock, in milliseconds since whenever
  std::function<std::unique_ptr<player>()> make_player; ///< what simulations run on
  std::istream* in = nullptr;                           ///< the standard input, if there is one
  std::function<void()> await_end; ///< what a server runs until; empty: until a signal asks
  int out_fd = -1;                 ///< what `out` writes to, if it may be closed by who reads
  int in_fd = -1;                  ///< what `in` reads, if whoever writes it may take long
  int err_fd = -1;                 ///< what `err` writes to, if whoever reads it may take long
  /// Ends the process at once; empty: as std::_Exit does.
  std::function<void(exit_code)> end_now = {};
};

} // namespace scratchpage
