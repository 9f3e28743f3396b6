#include "scratchpage/packaging/reference/reference_forms.hpp"

namespace scratchpage {

namespace {

// The script does not use the package bash-completion, which may not be installed.
constexpr auto program_and_text = R"(
_scratchpage() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= word
  local commands= options= files= directories= texts= operands=
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    _scratchpage_known "$command $word" || break
    command+=" $word"
  done
  _scratchpage_known "$command"
  COMPREPLY=()
  if [[ " $texts " == *" $before "* ]]; then
    return
  elif [[ " $directories " == *" $before "* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
  elif [[ " $files " == *" $before "* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif [[ $current == -* || ( -z $commands && -z $operands ) ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ -n $commands ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
  elif [[ $operands == files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}

complete -F _scratchpage scratchpage
)";

void append(std::string& list, const std::string& word) {
  list += (list.empty() ? "" : " ") + word;
}

std::string list(const char* name, const std::string& words) {
  return words.empty() ? "" : std::string{" "} + name + "='" + words + "'";
}

/// Adds the branch that lists what can follow the words of `path`, and those of its subcommands.
void add_case(const command_reference& x, const std::string& path, std::string& to) {
  std::string commands, options, files, directories, texts, operands;
  for (const auto& command : x.commands)
    append(commands, command.name);
  for (const auto& option : x.options) {
    auto kind = kind_of(option);
    if (option.is_positional) {
      operands = kind == value_kind::file ? "files" : "texts";
      continue;
    }
    for (const auto& name : option.names) {
      append(options, name);
      if (kind == value_kind::file)
        append(files, name);
      else if (kind == value_kind::directory)
        append(directories, name);
      else if (kind == value_kind::text)
        append(texts, name);
    }
  }
  to += "    '" + path + "')" + list("commands", commands) + list("options", options)
        + list("files", files) + list("directories", directories) + list("texts", texts)
        + list("operands", operands) + " ;;\n";
  for (const auto& command : x.commands)
    add_case(command, path + " " + command.name, to);
}

} // namespace

std::string bash_completion(const command_reference& program) {
  std::string result = "# bash completion of scratchpage\n\n_scratchpage_known() {\n"
                       "  commands= options= files= directories= texts= operands=\n"
                       "  case $1 in\n";
  add_case(program, "", result);
  return result + "    *) return 1 ;;\n  esac\n}\n" + program_and_text;
}

} // namespace scratchpage
