#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace scratchpage {

/// Bodies of the archive, compressed together: what was observed is much alike.
/// The names of what is in a pack are the sequences of its rows.
using archive_bodies = std::map<uint64_t, std::string>;

/// A zstd frame, in which each body stands behind a line that says whose it is
/// and how many bytes it has:
///
///     12 17
///     {"what":"it was"}
std::string pack(const archive_bodies& bodies);

/// What `pack` was given; nothing if these are other bytes.
std::optional<archive_bodies> unpack(std::string_view bytes);

} // namespace scratchpage
