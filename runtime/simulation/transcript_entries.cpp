#include "scratchpage/runtime/simulation/transcript_entries.hpp"

#include <algorithm>

#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/runtime/simulation/transcript.hpp"

namespace scratchpage {

namespace {

constexpr size_t lines_looked_at = 20;
constexpr std::string_view spaces = " \t\r\n";
constexpr std::string_view between = " \t\r\n,]"; // values

/// Takes the next line off `text`.
std::string_view take_line(std::string_view& text) {
  auto end = text.find('\n');
  auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// Whether each line is an entry. Only the first lines are read for that.
bool has_entries_on_lines(std::string_view text, std::string_view file) {
  for (size_t seen = 0; !text.empty() && seen < lines_looked_at;) {
    auto line = trimmed(take_line(text));
    if (line.empty())
      continue;
    if (++seen == 1 && (line == "[" || line == "{"))
      return false;
    if (line.size() > transcript_limits::line_bytes)
      continue;
    if (auto value = parse_input(line, file, 1); value && (seen == 1 || is_of_transcript(*value)))
      return true;
  }
  return file.ends_with(".jsonl") || file.ends_with(".ndjson");
}

/// The end of the value at the beginning of `text`: behind the bracket that closes it.
size_t end_of_value(std::string_view text) {
  size_t depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < text.size(); ++i) {
    auto c = text[i];
    if (in_text && c == '\\')
      ++i;
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '{' || c == '['))
      ++depth;
    else if (!in_text && (c == '}' || c == ']') && --depth == 0)
      return i + 1;
  }
  return text.size();
}

/// The elements of the list at the beginning of `text`, or nothing if its first element is a
/// message, so that the list is one conversation.
std::string_view inside_list(std::string_view text, std::string_view file) {
  if (!text.starts_with('['))
    return {};
  auto first = text.find_first_not_of(spaces, 1);
  if (first == std::string_view::npos || text[first] != '{')
    return {};
  auto rest = text.substr(first);
  auto value = parse_input(rest.substr(0, end_of_value(rest)), file, 1);
  auto is_message = value && value->is_object() && value->get_object().contains("role")
                    && !value->get_object().contains("messages");
  return is_message ? std::string_view{} : text.substr(1);
}

void each_value(std::string_view text, std::string_view file, const entry_sink& sink) {
  auto begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos)
    return;
  auto rest = text.substr(begin);
  if (auto inside = inside_list(rest, file); !inside.empty())
    rest = inside;
  const auto* counted = text.data();
  size_t line = 1;
  while (true) {
    auto next = rest.find_first_not_of(between);
    if (next == std::string_view::npos)
      return;
    rest.remove_prefix(next);
    line += static_cast<size_t>(std::count(counted, rest.data(), '\n'));
    counted = rest.data();
    auto is_value = rest.front() == '{' || rest.front() == '[';
    auto end = is_value ? end_of_value(rest) : std::min(rest.find_first_of("{[\n"), rest.size());
    sink(rest.substr(0, end), line);
    rest.remove_prefix(end);
  }
}

} // namespace

void each_entry(std::string_view text, std::string_view file, const entry_sink& sink) {
  if (!has_entries_on_lines(text, file))
    return each_value(text, file, sink);
  for (size_t line = 1; !text.empty(); ++line)
    if (auto entry = trimmed(take_line(text)); !entry.empty())
      sink(entry, line);
}

} // namespace scratchpage
