#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scratchpage {

/// `text` as one zstd frame (RFC 8878). A `level` of 9 makes texts a tenth smaller than the
/// usual 3, much beyond it little more for a lot of time; 1 costs next to nothing.
/// Throws for want of memory only.
std::string compress(std::string_view text, int level);

/// What `compress` was given, at most 256 MiB; nothing if these are other bytes.
std::optional<std::string> decompress(std::string_view bytes);

} // namespace scratchpage
