#include "scratchpage/packaging/reference/reference_forms.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "scratchpage/messages/version.hpp"

namespace scratchpage {

namespace {

/// An option that at least this many commands have is explained once, for all of them.
constexpr size_t common_from = 3;

constexpr auto description = R"(.SH DESCRIPTION
The page is a shared board of an agent's daemons and tools. They post observations
on it, with a type, tags, a confidence and a lifetime, and react to those of others.
Commands add, query, follow and archive observations, in a data directory or on a
server that runs.
.B scratchpage
.I COMMAND
.B \-\-help
shows examples and the exit codes of a command.
)";

constexpr auto closing_sections = R"(.SH EXIT STATUS
.TP
.B 0
The command was carried out.
.TP
.B 1
Something does not exist, some of the input was refused, or the storage failed.
.TP
.B 2
A usage error, bad input, or a data directory that cannot be used; nothing is changed.
.SH ENVIRONMENT
Options win over these variables, and an empty variable is unset.
.TP
.B SCRATCHPAGE_AGENT
The agent of commands without
.BR \-\-agent .
.TP
.B SCRATCHPAGE_DATA
The data directory of commands without
.BR \-\-data .
.TP
.B SCRATCHPAGE_SERVER
The server of commands without
.B \-\-server
and
.BR \-\-data .
.TP
.B COLUMNS
The width of tables on a terminal.
.TP
.B SCRATCHPAGE_TOKEN
The token that commands with
.B \-\-server
send.
.TP
.B XDG_DATA_HOME
The folder of the data directory
.IR scratchpage ,
by default
.IR ~/.local/share .
.SH FILES
.TP
.I /var/lib/scratchpage
The data of the service
.BR scratchpage.service .
.TP
.I /etc/default/scratchpage
.B SCRATCHPAGE_OPTIONS
in it sets the options of the service's
.BR "scratchpage serve" ;
the default is
.BR "\-\-log\-level info" .
.SH SEE ALSO
.BR systemctl (1)
)";

/// Escapes a text for troff, so that dashes stay dashes and no line is taken for a request.
std::string escaped(const std::string& text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\''))
    result = "\\&";
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '~')
      result += "\\(ti";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
  }
  return result;
}

std::string heading(const option_reference& x) {
  std::string result;
  for (const auto& name : x.names)
    result +=
      (result.empty() ? "" : ", ") + ((x.is_positional ? "\\fI" : "\\fB") + escaped(name)) + "\\fR";
  if (!x.is_positional && !x.value.empty())
    result += " \\fI" + escaped(x.value) + "\\fR";
  return result;
}

std::string entry(const option_reference& x) {
  auto result = ".TP\n" + heading(x) + "\n" + escaped(x.about);
  if (!x.by_default.empty())
    result += escaped(" [" + x.by_default + "]");
  return result + "\n";
}

/// Options that several commands have: by name, their most frequent entry.
using common_entries = std::map<std::string, std::string>;

/// How often each entry occurs, by option name.
using entry_counts = std::map<std::string, std::map<std::string, size_t>>;

void count(const command_reference& x, entry_counts& to) {
  for (const auto& option : x.options)
    if (!option.is_positional)
      ++to[option.names.back()][entry(option)];
  for (const auto& command : x.commands)
    count(command, to);
}

common_entries find_common(const command_reference& program) {
  entry_counts all;
  common_entries result;
  count(program, all);
  for (const auto& [name, entries] : all) {
    auto most = std::max_element(entries.begin(), entries.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most->second >= common_from)
      result[name] = most->first;
  }
  return result;
}

bool is_common(const option_reference& x, const common_entries& in) {
  auto found = in.find(x.names.back());
  return found != in.end() && found->second == entry(x);
}

std::string synopsis(const command_reference& x) {
  std::string result;
  for (const auto& option : x.options) {
    if (!option.is_positional && !option.is_required)
      continue;
    auto one = heading(option) + (option.is_repeatable ? " .\\|.\\|." : "");
    result += option.is_required ? " " + one : " [" + one + "]";
  }
  return result;
}

void add_command(
  const command_reference& x, const std::string& path, const common_entries& in, std::string& to) {
  if (x.commands.empty()) {
    std::string also;
    to += ".SS " + path + "\n" + escaped(x.about) + ".\n.PP\n.B " + path + "\n[\\fIoptions\\fR]"
          + synopsis(x) + "\n";
    for (const auto& option : x.options) {
      if (is_common(option, in))
        also += (also.empty() ? "" : ", ") + ("\\fB" + escaped(option.names.back())) + "\\fR";
      else
        to += entry(option);
    }
    to += ".PP\nAlso " + also + ".\n";
  }
  for (const auto& command : x.commands)
    add_command(command, path + " " + command.name, in, to);
}

} // namespace

std::string man_page(const command_reference& program) {
  auto common = find_common(program);
  auto about = program.about;
  about.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(about.front())));
  if (about.ends_with('.'))
    about.pop_back();
  std::string result = ".TH SCRATCHPAGE 1 \"\" \"scratchpage " + std::string{version}
                       + "\" \"User Commands\"\n.SH NAME\n" + program.name + " \\- "
                       + escaped(about)
                       + "\n.SH SYNOPSIS\n.B scratchpage\n.I COMMAND\n[\\fIoptions\\fR]\n.br\n"
                         ".B scratchpage \\-\\-version\n";
  result += description;
  result += ".SH COMMANDS\n";
  for (const auto& command : program.commands)
    add_command(command, command.name, common, result);
  result += ".SH COMMON OPTIONS\nEach command lists which of these it has.\n";
  for (const auto& [name, entry] : common)
    result += entry;
  for (const auto& option : program.options)
    if (!is_common(option, common))
      result += entry(option);
  return result + closing_sections;
}

} // namespace scratchpage
