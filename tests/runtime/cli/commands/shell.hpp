#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/tests/support/contains.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// Runs commands of `scratchpage` on one data directory, each as a new process would.
struct shell : temp_dir {
  /// Runs `scratchpage` with these arguments and, if the command needs data, with
  /// the data directory. Returns the exit code.
  int run(std::vector<std::string> words);
  /// Runs `scratchpage` with these arguments only.
  int run_plain(const std::vector<std::string>& words);

  /// Adds an observation, with further `options`. Returns its id.
  std::string add(
    const std::string& type, const std::string& content, std::vector<std::string> options = {});

  /// The numbers of the ids that `query` finds with these arguments, as "1 3".
  std::string numbers(std::vector<std::string> words);

  /// The output, one JSON value a line.
  std::vector<json::value> answers() const;
  /// The only line of the output. Valid until the next call.
  const json::object& answer();

  std::string data() const { return (path() / "data").string(); }

  std::string input; ///< standard input of the next command
  terminal_style style;
  int out_fd = -1; ///< the descriptor that the command takes for its output
  std::string out;
  std::string err;

private:
  json::object answer_;
};

/// The names of an object's members, in order.
std::vector<std::string> names_in(const json::object& x);

} // namespace scratchpage::test
