#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// The exit codes of the program.
enum class exit_code : int {
  ok = 0,        ///< everything was done, every expectation was met
  unmet = 1,     ///< an expectation was not met, not all was done, or the run failed
  bad_input = 2, ///< a usage error, or an input that cannot be read
  partly = 3,    ///< lines of the inputs were left out, and all others were played
};

/// The process that a command runs in: streams, descriptors, clock. Tests make their own.
struct command_environment {
  std::ostream& out;
  std::ostream& err;
  terminal_style out_style;
  terminal_style err_style;
  bool show_progress = false;     ///< `err` is a terminal
  std::function<double()> now_ms; ///< the wall clock: milliseconds since some moment
  std::function<std::unique_ptr<player>()> make_player; ///< makes what plays simulations
  std::istream* in = nullptr;                           ///< the standard input, if there is one
  std::function<void()> await_end; ///< returns when a server is to end; empty: wait for a signal
  int out_fd = -1;                 ///< the descriptor of `out`, if its reader may close it
  int in_fd = -1;                  ///< the descriptor of `in`, if its writer may be slow
  int err_fd = -1;                 ///< the descriptor of `err`, if its reader may be slow
  /// Ends the process at once; empty: std::_Exit does.
  std::function<void(exit_code)> end_now = {};
  /// The value of a variable of the environment, "" if it is unset; empty: none is set.
  std::function<std::string(const char* name)> variable = {};
  /// Options whose values come from variables, and those variables. Errors name the variable.
  std::vector<std::pair<std::string, std::string>> from_variables = {};
};

/// The name of the user who runs this process, from the system's list of users; "user" if that has
/// none, or one that cannot name a source.
std::string login_name();

// Every command on a data directory answers in the same way: one line of JSON for programs or
// sentences for people on the output, problems on the error output. Control characters in text of
// others are escaped, so that it cannot control the terminal.

/// Prints an error, with options in place of the fields of a request. Returns the exit code:
/// `bad_input` if the request itself is invalid, else `unmet`.
exit_code complain(const command_environment& environment, const caf::error& err);

/// Prints an error that came before any request. Returns `bad_input`.
exit_code complain_of_input(const command_environment& environment, const caf::error& err);

/// Prints a warning on the error output. The exit code stays the same.
void warn(const command_environment& environment, std::string_view sentence);

/// Describes an error, with options in place of the fields of a request.
std::string describe_for_options(const caf::error& err);

/// JSON in which characters that could control a terminal are escaped. Its value is the same.
std::string to_safe_text(const json::value& value);

/// As above, for lines of JSON that are text already. Each stays one line.
std::string to_safe_json(std::string_view text);

/// Flushes the output at the end of a command. Returns `code`, or `unmet` if writing failed.
exit_code finish(const command_environment& environment, exit_code code = exit_code::ok);

} // namespace scratchpage
