#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace scratchpage {

/// Compresses a text to one zstd frame (RFC 8878). A `level` of 9 makes texts a tenth smaller than
/// the usual 3, higher ones gain little and take much more time; 1 costs almost nothing. It throws
/// only if there is no memory.
std::string compress(std::string_view text, int level);

/// Compresses one text after the other as `compress` does. It keeps zstd's context, whose making
/// and clearing takes longer than compressing a short text. One thread at a time may use it.
class compressor {
public:
  /// Throws only if there is no memory.
  explicit compressor(int level);

  std::string operator()(std::string_view text);

private:
  struct delete_context {
    void operator()(void* x) const;
  };

  std::unique_ptr<void, delete_context> context_; // a ZSTD_CCtx
  std::string room_;                              // for the largest frame so far
};

/// The text that `compress` was given, of at most 256 MiB; nothing if `compress` did not make these
/// bytes.
std::optional<std::string> decompress(std::string_view bytes);

/// Bodies of archived rows, by sequence. They are compressed together, because observations are
/// much alike.
using archive_bodies = std::map<uint64_t, std::string>;

/// Compresses bodies to one zstd frame. In it each body follows a line with its sequence and its
/// size in bytes:
///
///     12 17
///     {"what":"it was"}
std::string pack(const archive_bodies& bodies);

/// The bodies that `pack` was given; nothing if `pack` did not make these bytes.
std::optional<archive_bodies> unpack(std::string_view bytes);

} // namespace scratchpage
