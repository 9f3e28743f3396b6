#include "scratchpage/runtime/cli/command_reference.hpp"

namespace scratchpage {

namespace {

// __scratchpage_at: the command line begins with these commands.
// __scratchpage_only: it does, and names none of their subcommands yet.
constexpr auto fish_functions = R"(# fish completion of scratchpage

function __scratchpage_at
  set -l words (commandline -opc)
  set -e words[1]
  test (count $words) -ge (count $argv); or return 1
  test (count $argv) -eq 0; and return (test (count $words) -eq 0)
  test "$words[1..$(count $argv)]" = "$argv"
end

function __scratchpage_only
  __scratchpage_at $argv; and test (count (commandline -opc)) -eq (math 1 + (count $argv))
end

complete -c scratchpage -f
)";

std::string quoted_in_fish(const std::string& text) {
  std::string result{"'"};
  for (char c : text) {
    if (c == '\'' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "'";
}

std::string in_a_row(const std::vector<std::string>& words) {
  std::string result;
  for (const auto& word : words)
    result += (result.empty() ? "" : " ") + word;
  return result;
}

void add_fish_option(const option_reference& x, const std::string& at, std::string& to) {
  auto kind = kind_of(x);
  if (x.is_positional) {
    if (kind == value_kind::file)
      to += at + "-F\n";
    if (!x.choices.empty())
      to += at + "-a " + quoted_in_fish(in_a_row(x.choices)) + "\n";
    return;
  }
  to += at;
  for (const auto& name : x.names)
    to += name.starts_with("--") ? "-l " + name.substr(2) + " " : "-s " + name.substr(1) + " ";
  if (!x.choices.empty())
    to += "-x -a " + quoted_in_fish(in_a_row(x.choices)) + " ";
  else if (kind == value_kind::agent)
    to += "-x -a '(scratchpage agents --ids 2>/dev/null </dev/null)' ";
  else if (kind == value_kind::file)
    to += "-rF ";
  else if (kind == value_kind::directory)
    to += "-x -a '(__fish_complete_directories)' ";
  else if (kind == value_kind::text)
    to += "-x ";
  to += "-d " + quoted_in_fish(x.about) + "\n";
}

void add_command(const command_reference& x, const std::string& path, std::string& to) {
  auto at = [&](const char* test) {
    return "complete -c scratchpage -n '" + std::string{test} + path + "' ";
  };
  for (const auto& option : x.options)
    add_fish_option(option, at(x.commands.empty() ? "__scratchpage_at" : "__scratchpage_only"), to);
  for (const auto& command : x.commands) {
    to += at("__scratchpage_only") + "-a " + command.name + " -d " + quoted_in_fish(command.about)
          + "\n";
    add_command(command, path + " " + command.name, to);
  }
}

} // namespace

std::string fish_completion(const command_reference& program) {
  std::string result{fish_functions};
  add_command(program, "", result);
  return result;
}

} // namespace scratchpage
