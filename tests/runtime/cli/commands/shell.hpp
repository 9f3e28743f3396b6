#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// Somebody who types commands, each a process of its own as far as it can tell,
/// on one data directory.
struct shell : temp_dir {
  /// Runs `scratchpage` with these words and, if it is a command on data, with
  /// the data directory. Gives the exit code.
  int run(std::vector<std::string> words);
  /// As it was typed, without the data directory.
  int run_plain(const std::vector<std::string>& words);

  /// Adds an observation and gives its id; `options` come on top.
  std::string add(
    const std::string& type, const std::string& content, std::vector<std::string> options = {});

  /// The ids that `query` finds with these words, "1 3" for the first and third.
  std::string numbers(std::vector<std::string> words);

  /// The answer, one JSON value a line.
  std::vector<json::value> answers() const;
  /// Of one line; valid until the next call.
  const json::object& answer();

  std::string data() const { return (path() / "data").string(); }

  std::string input; ///< what the next command reads
  terminal_style style;
  int out_fd = -1; ///< what the command takes its output for
  std::string out;
  std::string err;

private:
  json::object answer_;
};

bool contains(std::string_view text, std::string_view part);

/// The names of an object's members.
std::vector<std::string> names_in(const json::object& x);

} // namespace scratchpage::test
