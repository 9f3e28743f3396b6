#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"

namespace scratchpage {

/// The limits of the view (contract 11). Texts that are longer are cut.
struct scratchbook_view_config {
  uint32_t token_limit = 800; ///< 0: there is no view
  uint32_t max_items = 40;    ///< 0: there is no view
  uint32_t max_title_bytes = 120;
  uint32_t max_body_bytes = 160;

  static constexpr auto fields(auto all) {
    using self = scratchbook_view_config;
    return all(optional("token_limit", &self::token_limit), optional("max_items", &self::max_items),
      optional("max_title_bytes", &self::max_title_bytes),
      optional("max_body_bytes", &self::max_body_bytes));
  }
};

/// How much a thread's scratchbook may hold. It is one file, which is written as a whole after each
/// change.
struct scratchbook_limits {
  uint32_t max_items = 10'000;
  uint32_t max_pins = 100;
  uint32_t max_title_bytes = 512;
  uint32_t max_body_bytes = 16'384;
  uint32_t max_tags = 32;
  uint32_t max_name_bytes = 128; ///< of a tag, a phase, or the id of a goal, action or observation
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
  /// The folder of the files, below the folder of the agent's files.
  std::string path_prefix = "/scratchbook";
  scratchbook_view_config view;
  scratchbook_limits limits;
  uint32_t max_waiting = 256; ///< requests of a thread that may wait; more are `overloaded`
  uint32_t max_open = 256;    ///< threads that are in memory
  /// Bytes of memory that their books may take together, by `memory_of_book`. A single book may
  /// take more.
  uint64_t open_bytes = uint64_t{64} << 20;
  double save_ms = 10'000; ///< timeout of reading or writing the file
  double goal_ms = 5'000;  ///< timeout of a request about a linked goal

  static constexpr auto fields(auto all) {
    using self = scratchbook_config;
    return all(optional("path_prefix", &self::path_prefix), optional("view", &self::view),
      optional("limits", &self::limits), optional("max_waiting", &self::max_waiting),
      optional("max_open", &self::max_open), optional("open_bytes", &self::open_bytes),
      optional("save_ms", &self::save_ms), optional("goal_ms", &self::goal_ms));
  }
};

/// The bytes of memory, about, that a book takes whose file has so many bytes.
constexpr uint64_t memory_of_book(uint64_t file_bytes) {
  return 2 * file_bytes;
}

/// No error if `path_prefix` is a path and all limits are in range. The limits of the view may be
/// 0, which disables it.
caf::error validate(const scratchbook_config& x);

/// The path of a thread's scratchbook. Any id gives a valid path.
std::string scratchbook_path(const scratchbook_config& x, std::string_view thread_id);

// -- writers --------------------------------------------------------------------------------

// The writers of the parts of an item, as texts that `said_by` returned; "" if the book does not
// say who wrote the part.

inline const std::string& writer_of_title(const scratchbook_item& x) {
  return x.title_by ? *x.title_by : x.written_by;
}

inline const std::string& writer_of_body(const scratchbook_item& x) {
  return x.body_by ? *x.body_by : x.written_by;
}

/// The writer of the tags and the phase.
inline const std::string& writer_of_marks(const scratchbook_item& x) {
  return x.marked_by ? *x.marked_by : x.written_by;
}

/// The writer of the link: of the goal and action that the item is completed with.
inline const std::string& writer_of_link(const scratchbook_item& x) {
  return x.linked_by ? *x.linked_by : x.written_by;
}

inline bool has_marks(const scratchbook_item& x) {
  return x.phase || !x.tags.empty();
}

// -- changes --------------------------------------------------------------------------------

// The changes of a scratchbook (contract 11). Each function changes the book and returns the item
// as it is then; or it changes nothing and returns an error that names the field and what was
// expected. `now_ns` is nanoseconds since 1970.

/// Adds an item at the end. Tags are normalised, and the progress is clamped to [0, 1]. `by` is the
/// writer, as `said_by` returns it. Errors: `invalid_request`; `overloaded` if the book is full.
caf::expected<scratchbook_item> add_item(scratchbook& to, item_draft draft, int64_t now_ns,
  const scratchbook_limits& limits, std::string by = {});

/// Changes fields of an item. If nothing differs, the time of the last update stays. An item that
/// is opened again after it was done loses its link, because the goal was completed with it. `by`
/// becomes the writer of the parts that differ. Errors: `not_found`, `invalid_request`.
caf::expected<scratchbook_item> update_item(scratchbook& in, std::string_view id,
  item_changes changes, int64_t now_ns, const scratchbook_limits& limits,
  const std::string& by = {});

/// Sets the status to `done`, and the progress of a task to 1. Error: `not_found`.
caf::expected<scratchbook_item> complete_item(
  scratchbook& in, std::string_view id, int64_t now_ns, const scratchbook_limits& limits);

/// Pins an item after the pinned ones. If it is pinned already, nothing changes. Errors:
/// `not_found`; `overloaded` if there are too many pins.
caf::expected<scratchbook_item> pin_item(
  scratchbook& in, std::string_view id, const scratchbook_limits& limits);

/// Unpins an item. If it is not pinned, nothing changes. Error: `not_found`.
caf::expected<scratchbook_item> unpin_item(scratchbook& in, std::string_view id);

/// No error if `id` can name a thread. Error: `invalid_request` about `thread_id`.
caf::error check_thread_id(std::string_view id);

/// No error if the functions above could have made this scratchbook, which was read from storage.
/// Error: `internal`, which names the field.
caf::error validate(const scratchbook& x);

/// Trims a tag, and replaces each run of white space, `:`, `/` and `\` by one `_`. Returns "" if
/// nothing is left.
std::string normalized_tag(std::string_view tag);

// -- files ----------------------------------------------------------------------------------

/// The JSON that is stored, with sorted keys and a checksum.
std::string to_stored_text(const scratchbook& x);

/// Reads a stored text. Texts of older versions have no checksum. Error: `internal`, which names
/// the field.
caf::expected<scratchbook> from_stored_text(
  std::string_view text, const scratchbook_limits& limits);

/// A scratchbook as it was read from its file.
struct stored_scratchbook {
  scratchbook book;
  file_version version; ///< revision 0, or no checksum: the file does not have it
};

/// The same as `to_stored_text`, with the revision of the file, which is at least 1.
book_file to_stored_file(const scratchbook& x, uint64_t revision);

/// The same as `from_stored_text`, with the version of the file.
caf::expected<stored_scratchbook> from_stored_file(
  std::string_view text, const scratchbook_limits& limits);

} // namespace scratchpage
