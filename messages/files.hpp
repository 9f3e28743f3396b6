#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/messages/fields.hpp"

/// An agent's files: scratchbooks, histories, tool results. Paths are relative,
/// such as `scratchbook/trip.json`.

namespace scratchpage {

/// Gives a file these bytes and no others, or leaves it as it was.
struct write_file {
  std::string path;
  std::string bytes;

  static constexpr auto fields(auto all) {
    return all(required("path", &write_file::path), required("bytes", &write_file::bytes));
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

/// At most `most` bytes from `offset` on. Error: `not_found`.
struct read_file {
  std::string path;
  uint64_t offset = 0;
  uint64_t most = 1u << 20;

  static constexpr auto fields(auto all) {
    using self = read_file;
    return all(required("path", &self::path), optional("offset", &self::offset),
      optional("most", &self::most));
  }
};

struct file_part {
  std::string bytes;
  uint64_t size = 0; ///< of the whole file

  static constexpr auto fields(auto all) {
    return all(required("bytes", &file_part::bytes), required("size", &file_part::size));
  }
};

} // namespace scratchpage
