#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/actors/scratchbook/scratchbook_config.hpp"
#include "scratchpage/messages/scratchbook.hpp"
#include "scratchpage/persistence/stored_files/book_checksum.hpp"

/// How a scratchbook may change (contract 11). Each of these changes the book and
/// answers the item as it is then, or changes nothing and says which field is
/// wrong and what was expected. `now_ns` is nanoseconds since 1970.

namespace scratchpage {

/// Adds an item at the end. Tags are normalised, progress is clamped to [0, 1]; `by` is who
/// writes it, as `said_by` has it. Errors: `invalid_request`; `overloaded` if the book is full.
caf::expected<scratchbook_item> add_item(scratchbook& to, item_draft draft, int64_t now_ns,
  const scratchbook_limits& limits, std::string by = {});

/// Errors: `not_found`, `invalid_request`. Changes that change nothing leave
/// the time of the last update as it is. What is opened again after it was done
/// has lost its goal: that was completed with it, once. `by` has written the parts that are others
/// then, and no more.
caf::expected<scratchbook_item> update_item(scratchbook& in, std::string_view id,
  item_changes changes, int64_t now_ns, const scratchbook_limits& limits,
  const std::string& by = {});

/// Makes it `done`, and a task's progress 1. Error: `not_found`.
caf::expected<scratchbook_item> complete_item(
  scratchbook& in, std::string_view id, int64_t now_ns, const scratchbook_limits& limits);

/// Pins it behind the others, if it is not pinned. Errors: `not_found`;
/// `overloaded` if there are too many pins.
caf::expected<scratchbook_item> pin_item(
  scratchbook& in, std::string_view id, const scratchbook_limits& limits);

/// Error: `not_found`, of the item; one that is not pinned stays so.
caf::expected<scratchbook_item> unpin_item(scratchbook& in, std::string_view id);

/// No error if it may name a thread. Error: `invalid_request` on `thread_id`.
caf::error check_thread_id(std::string_view id);

/// Whether what was read from storage is a scratchbook that these rules could
/// have made. Error: `internal`, which names the field.
caf::error validate(const scratchbook& x);

/// Trimmed, runs of white space, `:`, `/` and `\` as one `_`; "" if nothing is left.
std::string normalized_tag(std::string_view tag);

/// The JSON that is stored, with sorted keys and a checksum.
std::string to_stored_text(const scratchbook& x);

/// Reads it again; one of an older version has no checksum. Error: `internal`, which names
/// the field.
caf::expected<scratchbook> from_stored_text(
  std::string_view text, const scratchbook_limits& limits);

/// A scratchbook as its file has it.
struct stored_scratchbook {
  scratchbook book;
  file_version version; ///< revision 0 or no checksum: the file does not say
};

/// As `to_stored_text`, of a file whose versions are counted from 1 on.
book_file to_stored_file(const scratchbook& x, uint64_t revision);

/// As `from_stored_text`.
caf::expected<stored_scratchbook> from_stored_file(
  std::string_view text, const scratchbook_limits& limits);

} // namespace scratchpage
