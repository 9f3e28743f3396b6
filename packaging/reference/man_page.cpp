#include "scratchpage/packaging/reference/man_page.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "scratchpage/messages/version.hpp"

namespace scratchpage {

namespace {

/// From so many commands on, an option is explained once for all.
constexpr size_t common_from = 3;

constexpr auto description = R"(.SH DESCRIPTION
An agent's daemons and tools tell each other what they noticed on a page:
observations with a type, tags, a confidence and a lifetime, which are added,
queried, followed and archived.
Commands work on a data directory, or ask a server that runs.
.B scratchpage
.I COMMAND
.B \-\-help
has examples and the exit codes of each.
)";

constexpr auto surroundings = R"(.SH EXIT STATUS
.TP
.B 0
What was asked was done.
.TP
.B 1
It is not there, some of it was refused, or the storage failed.
.TP
.B 2
A usage error or bad input; nothing is changed.
.SH ENVIRONMENT
.TP
.B SCRATCHPAGE_TOKEN
The token that commands with
.B \-\-server
send.
.TP
.B XDG_DATA_HOME
The data directory is
.I scratchpage
in it, or in
.IR ~/.local/share .
.SH FILES
.TP
.I /var/lib/scratchpage
The data of the service
.BR scratchpage.service .
.TP
.I /etc/default/scratchpage
.B SCRATCHPAGE_OPTIONS
in it are the options of the service's
.BR "scratchpage serve" ,
in place of
.BR "\-\-log\-level info" .
.SH SEE ALSO
.BR systemctl (1)
)";

/// Text is text: no dash is a hyphen, no line a request.
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

/// By name: what most of the commands that have such an option say of it.
using common_entries = std::map<std::string, std::string>;

using uses = std::map<std::string, std::map<std::string, size_t>>; // entries of a name

void count(const command_reference& x, uses& to) {
  for (const auto& option : x.options)
    if (!option.is_positional)
      ++to[option.names.back()][entry(option)];
  for (const auto& command : x.commands)
    count(command, to);
}

common_entries find_common(const command_reference& program) {
  uses all;
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
  return result + surroundings;
}

} // namespace scratchpage
