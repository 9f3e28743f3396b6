#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// How events are written down. A journal's group is a line for each event,
/// ended by a line feed: what happened, the number of the observation, and the
/// event in JSON, with a space between:
///
///     added 7 {"sequence":12,"kind":"added","at":"2025-11-05T10:30:00.000Z",…}
///
/// What stands before the JSON is there so that a snapshot can be moved on
/// without reading it. JSON has no line feed of its own.

/// One line of a group; views into its text.
struct journal_line {
  event_kind kind = event_kind::added;
  uint64_t number = 0;
  std::string_view json;
};

/// `events` in order, at least one, without gaps; `kind` is a change's.
journal_group to_group(const event_list& events);

/// Adds a line for a change whose text in JSON is there already.
void append_line(std::string& to, const page_event& x, std::string_view json);

/// What those of `events` that end an observation's time on the page put into
/// the archive.
std::vector<archive_row> to_archive(const event_list& events);

/// The archive's row of an observation, whose text in JSON is `body`. What the row is found by is
/// written `as_key_text`, so that any store can keep it.
archive_row to_archive_row(
  uint64_t sequence, timestamp left_at, const observation& x, std::string body);

/// The lines of a group. Errors: `internal`, which names the group, if the
/// checksum or the form is wrong.
caf::expected<std::vector<journal_line>> lines_of(const journal_group& group);

/// The events of a group.
caf::expected<std::vector<page_event>> events_of(const journal_group& group);

/// One event.
caf::expected<page_event> event_of(std::string_view json);

} // namespace scratchpage
