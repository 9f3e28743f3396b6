#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scratchpage {

/// `text` between quotes on one line: untrusted text stays data. Quotes,
/// backslashes, control characters, line and paragraph separators, what turns
/// the direction of writing and what cannot be seen are escaped (`\n`,
/// `\u{202e}`), as is what is not UTF-8 (`\x80`). Of a longer text at most
/// `max_bytes` are shown, whole characters, and then "…".
std::string quoted(std::string_view text, size_t max_bytes);

/// A name or an id: as it is if it consists of up to 64 letters, digits and
/// _ - . : @ /, else quoted and cut there.
std::string plain_name(std::string_view text);

} // namespace scratchpage
