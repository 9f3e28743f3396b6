#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace scratchpage {

/// Says in a sentence or two what is wrong with the words of a command line, what was probably
/// meant, and where help is. `why` is the error with which they were refused.
std::string usage_advice(
  const CLI::App& app, int argc, const char* const* argv, const CLI::ParseError& why);

/// The examples in the help of a command that begin with its path, such as "scratchpage scratch
/// add". Each is one line; a line that a backslash continues is joined with the next.
std::vector<std::string> examples_of(const CLI::App& command, const std::string& path);

} // namespace scratchpage
