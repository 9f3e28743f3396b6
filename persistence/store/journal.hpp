#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/event.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

/// The stored form of events. A group of the journal has one line for each event, ended by a line
/// feed. A line has the kind of the event, the number of the observation, and the event in JSON,
/// separated by spaces:
///
///     added 7 {"sequence":12,"kind":"added","at":"2025-11-05T10:30:00.000Z",…}
///
/// The first two are there so that a snapshot can be advanced without parsing the JSON, which never
/// has a line feed.

/// One line of a group; views into its text.
struct journal_line {
  event_kind kind = event_kind::added;
  uint64_t number = 0;
  std::string_view json;
};

/// Makes the group of `events`, of which there is at least one. They are in order and without gaps,
/// and their kinds are those of changes.
journal_group to_group(const event_list& events);

/// Appends the JSON of a change as the journal keeps it: with the mark of the request.
void append_event(std::string& to, const page_event& x);

/// Whether the JSON of a change may have the mark of a request.
bool may_have_request(std::string_view json);

/// The JSON of a change without the mark of its request, as everybody but the journal has it.
/// Errors: those of `event_of`.
caf::expected<std::string> without_request(std::string_view json);

/// Appends the line of a change whose JSON is given.
void append_line(std::string& to, const page_event& x, std::string_view json);

/// The archived rows for those of `events` with which an observation leaves the page.
std::vector<archive_row> to_archive(const event_list& events);

/// The archived row of an observation whose JSON is `body`. The columns by which the row is found
/// are written with `as_key_text`, so that every store can keep them.
archive_row to_archive_row(
  uint64_t sequence, timestamp left_at, const observation& x, std::string body);

/// The lines of a group. Errors: `internal`, which names the group, if the
/// checksum or the form is wrong.
caf::expected<std::vector<journal_line>> lines_of(const journal_group& group);

/// The events of a group.
caf::expected<std::vector<page_event>> events_of(const journal_group& group);

/// One event, from its JSON in a line of the journal or a row of a snapshot.
caf::expected<page_event> event_of(std::string_view json);

} // namespace scratchpage

/// Checks that a journal has everything that was acknowledged. A row that is missing at its end
/// leaves no gap, so only the agent's row reveals it.

namespace scratchpage {

/// For the owner: the last sequence that was read, `last`, must be `acknowledged`, which the
/// agent's row had before the reading. Errors: those of the store; `conflict`, if somebody else has
/// claimed the agent since; `internal`, which says what is missing.
caf::error check_end(store& in, const ownership& by, uint64_t last, uint64_t acknowledged);

/// For others, who may read while the owner writes: `last` must be at least `acknowledged`, which
/// the agent's row had before the reading, unless the owner has cut the journal since. Errors:
/// those of the store; `internal`, which says what is missing.
caf::error check_reach(store& in, uint64_t agent, uint64_t last, uint64_t acknowledged);

} // namespace scratchpage

/// Snapshots are advanced along the journal, and the journal is truncated up to the oldest
/// snapshot.

namespace scratchpage {

/// Advances a snapshot along the journal: by whole groups that end at `until` or before, as long as
/// there are fewer than `most` events, but by at least one group. Observations that come and go on
/// the way are never written. Returns the new head, which is the old one if there was nothing to
/// do. Errors: those of the store, `internal` if the journal is damaged.
caf::expected<snapshot_head> advance_snapshot(
  store& in, const ownership& by, snapshot_kind kind, uint64_t until, uint64_t most);

enum class truncation : uint8_t {
  done,   ///< everything before the horizon is removed
  more,   ///< call again
  behind, ///< advance the latest snapshot first, because recovery needs the groups after it
};

/// Removes some of the journal's groups that ended before `horizon`. First it advances the oldest
/// snapshot to their end, where the history then begins. Errors: those of the store, `internal` if
/// the journal is damaged.
caf::expected<truncation> truncate_journal(store& in, const ownership& by, timestamp horizon);

} // namespace scratchpage
