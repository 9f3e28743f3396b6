#include "scratchpage/runtime/cli/command_reference.hpp"

namespace scratchpage {

namespace {

/// Escapes a text for single quotes, and for the brackets and colons of `_arguments`.
std::string escaped_in_zsh(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      result += std::string{'\\'} + c;
    else
      result += c;
  }
  return result;
}

std::string action(const option_reference& x, value_kind kind) {
  if (!x.choices.empty()) {
    std::string result;
    for (const auto& choice : x.choices)
      result += (result.empty() ? "(" : " ") + choice;
    return result + ")";
  }
  if (kind == value_kind::agent)
    return "__scratchpage_agent_ids";
  if (kind == value_kind::file)
    return "_files";
  return kind == value_kind::directory ? "_files -/" : " ";
}

void add_zsh_option(const option_reference& x, std::string& to) {
  auto kind = kind_of(x);
  auto value = ":" + escaped_in_zsh(x.value) + ":" + action(x, kind);
  if (x.is_positional) {
    to += " \\\n    '" + std::string{x.is_repeatable ? "*" : ""} + value + "'";
    return;
  }
  for (const auto& name : x.names)
    to += " \\\n    '" + std::string{x.is_repeatable ? "*" : ""} + name + "["
          + escaped_in_zsh(x.about) + "]" + (kind == value_kind::none ? "" : value) + "'";
}

void add_function(const command_reference& x, const std::string& name, std::string& to) {
  to += "\n" + name + "() {\n";
  if (!x.commands.empty())
    to += "  local state line\n  typeset -A opt_args\n";
  to += "  _arguments -s" + std::string{x.commands.empty() ? "" : " -C"};
  for (const auto& option : x.options)
    add_zsh_option(option, to);
  if (!x.commands.empty()) {
    to += " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n"
          "  case $state in\n    command)\n      local -a commands=(";
    for (const auto& command : x.commands)
      to += "\n        '" + command.name + ":" + escaped_in_zsh(command.about) + "'";
    to += ")\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n";
    for (const auto& command : x.commands)
      to += "        " + command.name + ") " + name + "_" + command.name + " ;;\n";
    to += "      esac ;;\n  esac";
  }
  to += "\n}\n";
  for (const auto& command : x.commands)
    add_function(command, name + "_" + command.name, to);
}

} // namespace

std::string zsh_completion(const command_reference& program) {
  std::string result{"#compdef scratchpage\n# zsh completion of scratchpage\n"};
  result += "\n__scratchpage_agent_ids() {\n"
            "  local -a ids=(${(f)\"$(scratchpage agents --ids 2>/dev/null </dev/null)\"})\n"
            "  compadd -a ids\n}\n";
  add_function(program, "_scratchpage", result);
  // compinit takes the text as the body of the function. When sourced, it registers the function.
  return result
         + "\nif [[ $funcstack[1] == _scratchpage ]]; then\n  _scratchpage \"$@\"\nelse\n"
           "  compdef _scratchpage scratchpage\nfi\n";
}

} // namespace scratchpage
