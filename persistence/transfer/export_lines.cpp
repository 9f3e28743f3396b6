#include "scratchpage/persistence/transfer/export_lines.hpp"

namespace scratchpage {

namespace {

/// Behind the quotation mark that ends the string that begins at `i`.
size_t end_of_string(std::string_view text, size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\')
      ++i;
  return i + 1;
}

/// Behind the value that begins at `i`: at the comma or bracket that ends it.
size_t end_of_value(std::string_view text, size_t i) {
  size_t depth = 0;
  while (i < text.size()) {
    auto c = text[i];
    if (c == '"') {
      i = end_of_string(text, i);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}'))
      return i;
    if (c == '{' || c == '[')
      ++depth;
    if (c == '}' || c == ']')
      --depth;
    ++i;
  }
  return text.size();
}

std::string_view trimmed(std::string_view text) {
  constexpr auto blanks = " \t\r\n";
  auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

} // namespace

void count(end_line& in, export_line x, bool is_first) {
  switch (x) {
  case export_line::agent:
    ++in.agents;
    break;
  case export_line::observation:
    ++in.observations;
    break;
  case export_line::event:
    ++in.events;
    break;
  case export_line::archived:
    ++in.archived;
    break;
  case export_line::document:
    ++in.documents;
    break;
  case export_line::file:
    in.files += is_first ? 1 : 0;
    break;
  default: // at most one, and no count of it
    break;
  }
}

std::string to_hex(uint64_t checksum) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (int shift = 60; shift >= 0; shift -= 4)
    result += digits[(checksum >> shift) & 0xF];
  return result;
}

namespace {

/// A member as it stands in the text of an object.
struct raw {
  std::string_view name; ///< with its escapes
  std::string_view value;
};

/// Calls `f` with each member of a JSON object that is valid.
template <class F>
void for_each_member(std::string_view object, F f) {
  auto i = object.find('{') + 1;
  while (true) {
    auto begin = object.find('"', i);
    if (begin == std::string_view::npos)
      return;
    auto end = end_of_string(object, begin);
    auto colon = object.find(':', end);
    i = end_of_value(object, colon + 1);
    f(raw{
      object.substr(begin + 1, end - begin - 2), trimmed(object.substr(colon + 1, i - colon - 1))});
  }
}

} // namespace

std::string_view raw_member(std::string_view object, std::string_view name) {
  std::string_view result;
  for_each_member(object, [&](const raw& x) {
    if (x.name == name)
      result = x.value;
  });
  return result;
}

bool has_plain_names(std::string_view object, size_t members) {
  size_t count = 0;
  auto is_escaped = false;
  for_each_member(object, [&](const raw& x) {
    ++count;
    is_escaped = is_escaped || x.name.find('\\') != std::string_view::npos;
  });
  return !is_escaped && count == members;
}

} // namespace scratchpage
