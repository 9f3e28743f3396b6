#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scratchpage/messages/fields.hpp"

/// An agent's files: scratchbooks, histories, tool results. Paths are relative,
/// such as `scratchbook/trip.json`.

namespace scratchpage {

/// Which of the versions of a file it is.
struct file_version {
  uint64_t revision = 0; ///< grows with each time it is written
  std::string checksum;  ///< as the file has it

  bool operator==(const file_version&) const = default;

  static constexpr auto fields(auto all) {
    using self = file_version;
    return all(required("revision", &self::revision), required("checksum", &self::checksum));
  }
};

/// Gives a file these bytes and no others, or leaves it as it was.
struct write_file {
  std::string path;
  std::string bytes;
  /// Is kept beside the file, so that a missing or an older one is known to be that.
  std::optional<file_version> version = {};

  static constexpr auto fields(auto all) {
    using self = write_file;
    return all(required("path", &self::path), required("bytes", &self::bytes),
      optional("version", &self::version));
  }
};

/// Adds them at the end of a file, which need not be there yet.
struct append_file {
  std::string path;
  std::string bytes;

  static constexpr auto fields(auto all) {
    return all(required("path", &append_file::path), required("bytes", &append_file::bytes));
  }
};

/// At most `most` bytes from `offset` on. Errors: `not_found`; with `with_version` also
/// `internal`, if there is no such file although a version of it was kept.
struct read_file {
  std::string path;
  uint64_t offset = 0;
  uint64_t most = 1u << 20;
  bool with_version = false; ///< whether the version that was kept last is wanted, too

  static constexpr auto fields(auto all) {
    using self = read_file;
    return all(required("path", &self::path), optional("offset", &self::offset),
      optional("most", &self::most), optional("with_version", &self::with_version));
  }
};

struct file_part {
  std::string bytes;
  uint64_t size = 0;                        ///< of the whole file
  std::optional<file_version> version = {}; ///< that was kept last, if it was asked for

  static constexpr auto fields(auto all) {
    using self = file_part;
    return all(required("bytes", &self::bytes), required("size", &self::size),
      optional("version", &self::version));
  }
};

} // namespace scratchpage
