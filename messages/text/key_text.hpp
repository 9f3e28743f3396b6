#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/text/utf8.hpp"

/// Short texts by which something is kept and found: owners, tags, ids and names.

namespace scratchpage {

/// Whether a text may be one of them: UTF-8 without U+0000, which PostgreSQL keeps in no text.
inline bool is_key_text(std::string_view x) {
  return utf8::is_valid(x) && x.find('\0') == std::string_view::npos;
}

/// A text of which nobody has checked that. U+FFFD stands for each U+0000, so that it can be kept
/// as any other.
inline std::string as_key_text(std::string_view x) {
  std::string result;
  while (true) {
    auto nul = x.find('\0');
    result += x.substr(0, nul);
    if (nul == std::string_view::npos)
      return result;
    result += "\uFFFD";
    x.remove_prefix(nul + 1);
  }
}

} // namespace scratchpage
