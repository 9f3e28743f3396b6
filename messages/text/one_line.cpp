#include "scratchpage/messages/text/one_line.hpp"

#include <algorithm>

#include "scratchpage/messages/text/escaped_text.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_name_bytes = 64;

void append_quoted_one(std::string& to, const utf8::character& x, std::string_view bytes) {
  if (x.valid && (x.code == '"' || x.code == '\\'))
    to.append("\\").append(bytes);
  else
    append_escaped(to, x, bytes);
}

bool is_plain(char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9')
         || std::string_view{"_-.:@/"}.find(x) != std::string_view::npos;
}

} // namespace

std::string quoted(std::string_view text, size_t max_bytes) {
  std::string result = "\"";
  for (size_t shown = 0; !text.empty();) {
    auto next = utf8::first_character(text);
    shown += next.bytes;
    if (shown > max_bytes) {
      result += "…";
      break;
    }
    append_quoted_one(result, next, text.substr(0, next.bytes));
    text.remove_prefix(next.bytes);
  }
  return result + "\"";
}

std::string plain_name(std::string_view text) {
  if (!text.empty() && text.size() <= max_name_bytes
      && std::all_of(text.begin(), text.end(), is_plain))
    return std::string{text};
  return quoted(text, max_name_bytes);
}

} // namespace scratchpage
