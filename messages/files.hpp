#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scratchpage/messages/fields.hpp"

/// An agent's files: scratchbooks, histories, tool results. Paths are relative,
/// such as `scratchbook/trip.json`.

namespace scratchpage {

/// Identifies a version of a file.
struct file_version {
  uint64_t revision = 0; ///< grows with each write
  std::string checksum;  ///< the one that the file contains

  bool operator==(const file_version&) const = default;

  static constexpr auto fields(auto all) {
    using self = file_version;
    return all(required("revision", &self::revision), required("checksum", &self::checksum));
  }
};

/// Replaces the content of a file, or leaves the file as it was.
struct write_file {
  std::string path;
  std::string bytes;
  /// Stored beside the file, so that a missing or outdated file is noticed.
  std::optional<file_version> version = {};

  static constexpr auto fields(auto all) {
    using self = write_file;
    return all(required("path", &self::path), required("bytes", &self::bytes),
      optional("version", &self::version));
  }
};

/// Appends bytes to a file. A file that does not exist is created.
struct append_file {
  std::string path;
  std::string bytes;

  static constexpr auto fields(auto all) {
    return all(required("path", &append_file::path), required("bytes", &append_file::bytes));
  }
};

/// Reads at most `most` bytes from `offset` on. Errors: `not_found`; with `with_version` also
/// `internal`, if there is no such file although a version of it is stored.
struct read_file {
  std::string path;
  uint64_t offset = 0;
  uint64_t most = 1u << 20;
  bool with_version = false; ///< whether to answer the latest stored version, too

  static constexpr auto fields(auto all) {
    using self = read_file;
    return all(required("path", &self::path), optional("offset", &self::offset),
      optional("most", &self::most), optional("with_version", &self::with_version));
  }
};

struct file_part {
  std::string bytes;
  uint64_t size = 0;                        ///< of the whole file
  std::optional<file_version> version = {}; ///< the latest stored one, if it was asked for

  static constexpr auto fields(auto all) {
    using self = file_part;
    return all(required("bytes", &self::bytes), required("size", &self::size),
      optional("version", &self::version));
  }
};

} // namespace scratchpage
