#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// What the view shows (contract 11).
struct scratchbook_view_config {
  uint32_t token_limit = 800;     ///< 0: there is no view
  uint32_t max_items = 40;        ///< 0: there is no view
  uint32_t max_title_bytes = 120; ///< of a line; more is cut
  uint32_t max_body_bytes = 160;

  static constexpr auto fields(auto all) {
    using self = scratchbook_view_config;
    return all(optional("token_limit", &self::token_limit), optional("max_items", &self::max_items),
      optional("max_title_bytes", &self::max_title_bytes),
      optional("max_body_bytes", &self::max_body_bytes));
  }
};

/// How much a thread's scratchbook may hold. It is stored as one file, which is
/// written anew with each change.
struct scratchbook_limits {
  uint32_t max_items = 10'000;
  uint32_t max_pins = 100;
  uint32_t max_title_bytes = 512;
  uint32_t max_body_bytes = 16'384;
  uint32_t max_tags = 32;
  uint32_t max_name_bytes = 128; ///< of a tag, a phase or an id elsewhere
  uint32_t max_bytes = 8'388'608;

  static constexpr auto fields(auto all) {
    using self = scratchbook_limits;
    return all(optional("max_items", &self::max_items), optional("max_pins", &self::max_pins),
      optional("max_title_bytes", &self::max_title_bytes),
      optional("max_body_bytes", &self::max_body_bytes), optional("max_tags", &self::max_tags),
      optional("max_name_bytes", &self::max_name_bytes), optional("max_bytes", &self::max_bytes));
  }
};

struct scratchbook_config {
  /// The folder of the files, in the agent's own.
  std::string path_prefix = "/scratchbook";
  scratchbook_view_config view;
  scratchbook_limits limits;
  uint32_t max_waiting = 256; ///< requests of a thread before they are overloaded
  uint32_t max_open = 256;    ///< threads that are held in memory
  /// What their books take there together, by `memory_of_book`. One book may take more.
  uint64_t open_bytes = uint64_t{64} << 20;
  double save_ms = 10'000; ///< how long a write may take
  double goal_ms = 5'000;  ///< how long a goal that an item is linked to may take

  static constexpr auto fields(auto all) {
    using self = scratchbook_config;
    return all(optional("path_prefix", &self::path_prefix), optional("view", &self::view),
      optional("limits", &self::limits), optional("max_waiting", &self::max_waiting),
      optional("max_open", &self::max_open), optional("open_bytes", &self::open_bytes),
      optional("save_ms", &self::save_ms), optional("goal_ms", &self::goal_ms));
  }
};

/// About what a book takes in memory whose file has so many bytes.
constexpr uint64_t memory_of_book(uint64_t file_bytes) {
  return 2 * file_bytes;
}

/// No error if the prefix is a path and there is room for something. The view's
/// limits may be 0: it is then disabled.
caf::error validate(const scratchbook_config& x);

/// The file of a thread's scratchbook, whatever its id is.
std::string scratchbook_path(const scratchbook_config& x, std::string_view thread_id);

} // namespace scratchpage
