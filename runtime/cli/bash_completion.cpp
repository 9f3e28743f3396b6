#include "scratchpage/runtime/cli/command_reference.hpp"

namespace scratchpage {

namespace {

// The script does not use the package bash-completion, which may not be installed.
constexpr auto program_and_text = R"bash(
_scratchpage() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= word
  local commands= options= files= directories= texts= agents= values= operands=
  if [[ $current == = ]]; then # --option=
    current=
  elif [[ $before == = ]]; then # --option=value
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    _scratchpage_known "$command $word" || break
    command+=" $word"
  done
  _scratchpage_known "$command"
  COMPREPLY=()
  for word in $values; do
    if [[ $word == "$before|"* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "${word//|/ }" -- "$current")
      [[ $current == "" ]] && COMPREPLY=("${COMPREPLY[@]:1}") # without the option itself
      return
    fi
  done
  if [[ " $agents " == *" $before "* ]]; then
    _scratchpage_agents "$current"
  elif [[ " $texts " == *" $before "* ]]; then
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
  elif [[ $operands == choices\|* ]]; then
    word=${operands#choices|}
    mapfile -t COMPREPLY < <(compgen -W "${word//|/ }" -- "$current")
  fi
}

# The ids of the agents of the directory or server that the command line names. An id is a text of
# others, so it is never expanded.
_scratchpage_agents() {
  local i id where=()
  for ((i = 1; i + 1 < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == --@(data|server|ca) ]] && where+=("${COMP_WORDS[i]}" "${COMP_WORDS[i+1]}")
  done
  while IFS= read -r id; do
    [[ $id == "$1"* ]] && COMPREPLY+=("$(printf %q "$id")")
  done < <("${COMP_WORDS[0]}" agents --ids "${where[@]}" 2>/dev/null </dev/null)
}

complete -F _scratchpage scratchpage
)bash";

void append(std::string& list, const std::string& word) {
  list += (list.empty() ? "" : " ") + word;
}

std::string shell_list(const char* name, const std::string& words) {
  return words.empty() ? "" : std::string{" "} + name + "='" + words + "'";
}

/// "|a|b".
std::string in_a_word(const std::vector<std::string>& choices) {
  std::string result;
  for (const auto& choice : choices)
    result += "|" + choice;
  return result;
}

/// Adds the branch that lists what can follow the words of `path`, and those of its subcommands.
void add_case(const command_reference& x, const std::string& path, std::string& to) {
  std::string commands, options, files, directories, texts, agents, values, operands;
  for (const auto& command : x.commands)
    append(commands, command.name);
  for (const auto& option : x.options) {
    auto kind = kind_of(option);
    if (option.is_positional) {
      operands = kind == value_kind::file ? "files" : "texts";
      if (!option.choices.empty())
        operands = "choices" + in_a_word(option.choices);
      continue;
    }
    for (const auto& name : option.names) {
      append(options, name);
      if (!option.choices.empty())
        append(values, name + in_a_word(option.choices));
      else if (kind == value_kind::agent)
        append(agents, name);
      else if (kind == value_kind::file)
        append(files, name);
      else if (kind == value_kind::directory)
        append(directories, name);
      else if (kind == value_kind::text)
        append(texts, name);
    }
  }
  to += "    '" + path + "')" + shell_list("commands", commands) + shell_list("options", options)
        + shell_list("files", files) + shell_list("directories", directories)
        + shell_list("texts", texts) + shell_list("agents", agents) + shell_list("values", values)
        + shell_list("operands", operands) + " ;;\n";
  for (const auto& command : x.commands)
    add_case(command, path + " " + command.name, to);
}

} // namespace

std::string bash_completion(const command_reference& program) {
  std::string result = "# bash completion of scratchpage\n\n_scratchpage_known() {\n"
                       "  commands= options= files= directories= texts= agents= values= operands=\n"
                       "  case $1 in\n";
  add_case(program, "", result);
  return result + "    *) return 1 ;;\n  esac\n}\n" + program_and_text;
}

} // namespace scratchpage
