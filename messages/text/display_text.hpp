#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scratchpage/messages/text/utf8.hpp"

/// Text as people see it: its width, how it is cut, and what must not be shown.

namespace scratchpage {

/// How many columns of a terminal the text takes: two for a wide character, none for a combining
/// one.
size_t display_width(std::string_view text);

/// Replaces control characters and bytes that are not UTF-8 by spaces, and each run of spaces by
/// one: text from outside must not control a terminal.
std::string one_line(std::string_view text);

/// The text in at most `columns` columns. A text that was cut ends with "…".
std::string fit(std::string_view text, size_t columns);

/// As `fit`, then filled with spaces up to `columns`.
std::string pad(std::string_view text, size_t columns);

} // namespace scratchpage

/// Escapes for untrusted text that people read.

namespace scratchpage {

/// Whether a character could end a line, control a terminal, change the direction of writing, or
/// hide something from a reader.
bool is_unsafe(char32_t code);

/// `text` on one line. Unsafe characters are escaped as `\n` or `\u{202e}`, bytes that are not
/// UTF-8 as `\x80`.
std::string escaped(std::string_view text);

/// Appends one character in that form. `bytes` are the bytes that it was read from.
void append_escaped(std::string& to, const utf8::character& x, std::string_view bytes);

/// `text` in quotation marks, on one line. Characters are escaped as in `escaped`, and quotation
/// marks and backslashes with a backslash. A text of more than `max_bytes` bytes is cut between
/// characters, and "…" follows.
std::string quoted(std::string_view text, size_t max_bytes);

/// A name or an id: unchanged if it has up to 64 characters, which are ASCII letters, digits and
/// _ - . : @ /, else quoted and cut after 64 bytes.
std::string shown_name(std::string_view text);

/// "0.4 ms", "412 ms", "2.5 s", "3 min 20 s", "2 h 5 min", "7 d".
std::string human_time(double milliseconds);

} // namespace scratchpage

/// How texts look to somebody who knows the letters of ASCII: a word in full-width letters, or with
/// a Cyrillic letter in it, is read as the same word (look_alikes.cpp).

namespace scratchpage {

/// `text` with lower-case letters of ASCII in place of characters that are forms of them or look
/// like them. Marks above and below letters and invisible characters are removed. Each run of white
/// space becomes one space, and white space at the beginning is removed. Other letters stay.
std::string in_plain_letters(std::string_view text);

/// A key with which texts are compared by their look: `in_plain_letters` without spaces,
/// punctuation and pictures, and with one letter for those that are hard to tell apart, such as
/// `l`, `i` and `1`. Two texts with the same key look alike. The key is not for display.
std::string skeleton_of(std::string_view text);

} // namespace scratchpage
