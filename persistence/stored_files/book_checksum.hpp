#pragma once

#include <string>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/files.hpp"
#include "scratchpage/messages/json/json.hpp"

namespace scratchpage {

/// The text of a scratchbook's file: JSON with sorted keys, of which the member `checksum`
/// is that of the same text without it (XXH3, 16 hexadecimal digits). One that `book` has
/// already is replaced.
std::string to_book_text(json::object book);

/// Takes the checksum out of a scratchbook's file that was read. Older versions wrote none,
/// and then there is nothing to compare. Error: `internal` about `checksum` if the rest is
/// not what was written.
caf::error take_checksum(json::object& book);

/// A scratchbook's file and which version it is.
struct book_file {
  std::string text;
  file_version version;
};

/// The same with the member `revision`, which the checksum covers. 0: without.
book_file to_book_file(json::object book, uint64_t revision);

/// As `take_checksum`, and takes out `revision` as well: what the file says of its version.
/// One that was written by an older version, or by hand, may say nothing.
caf::expected<file_version> take_version(json::object& book);

} // namespace scratchpage
