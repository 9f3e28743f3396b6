#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/text/utf8.hpp"

/// Untrusted text where people read it: it stays data.

namespace scratchpage {

/// Whether a character would end a line, command a terminal, turn the direction
/// of writing, or hide something from a reader.
bool is_unsafe(char32_t code);

/// `text` on one line, with whatever is unsafe escaped: `\n`, `\u{202e}`; what is
/// not UTF-8 as `\x80`.
std::string escaped(std::string_view text);

/// One character of that; `bytes` are what it was read from.
void append_escaped(std::string& to, const utf8::character& x, std::string_view bytes);

} // namespace scratchpage
