#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/journal.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The right to write one agent's history: the key of the agent in the store, the epoch that the
/// claim began, and the key of the claim. A later claim ends it.
struct ownership {
  uint64_t agent = 0;
  uint64_t epoch = 0;
  claim_key claim = {};

  bool operator==(const ownership&) const = default;
};

/// Which of `lanes` threads or connections writes for an agent. A caller with as many threads as
/// the store has connections (`connection_limits::writers`) thus has a connection for each.
inline size_t lane_of(uint64_t agent, size_t lanes) {
  return static_cast<size_t>(agent % lanes);
}

/// The events of one commit, as text (journal.hpp), under one checksum.
struct journal_group {
  uint64_t first = 0; ///< sequences of the events, both inclusive
  uint64_t last = 0;
  timestamp at; ///< of the last event, whole milliseconds
  std::string events;
  uint64_t checksum = 0;

  bool operator==(const journal_group&) const = default;
};

/// One observation that has left the page, with the columns by which a filter finds it.
struct archive_row {
  uint64_t sequence = 0; ///< of the event in which it left
  std::string observation_id;
  std::string type;
  std::string status; ///< "archived", "expired" or "evicted"
  std::string source; ///< the name of its source
  std::string owner;
  std::string turn_id;
  timestamp created_at;
  timestamp left_at;
  std::string body; ///< the observation in JSON
  uint64_t checksum = 0;

  bool operator==(const archive_row&) const = default;
};

/// What one agent's page has to store.
struct journal_append {
  ownership by;
  /// The last sequence that was acknowledged. If the store has more, that is from a commit that
  /// seemed to fail, and is removed.
  uint64_t after = 0;
  journal_group group;
  std::vector<archive_row> archived;
};

/// Snapshots of a page, so that recovery need not read the whole history.
enum class snapshot_kind : uint8_t {
  latest, ///< what recovery begins with
  oldest, ///< where the journal that is still kept begins
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<snapshot_kind>{"latest", "oldest"};

/// The counters of a page at the time of a snapshot.
struct snapshot_head {
  uint64_t sequence = 0;    ///< of the last event in it; 0 if there is no snapshot
  uint64_t last_number = 0; ///< of all observations so far
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp at; ///< of the last event
  /// The sum over its rows (checksum.hpp). The store computes it and ignores a given one.
  uint64_t rows = 0;

  bool operator==(const snapshot_head&) const = default;
};

/// The last event of one observation that is on the page.
struct snapshot_row {
  uint64_t number = 0;
  std::string event; ///< in JSON; "" if the observation is no longer there
  uint64_t checksum = 0;

  bool operator==(const snapshot_row&) const = default;
};

/// The time and the terms by which a document is found, in addition to its name.
struct document_index {
  timestamp at; ///< in whole milliseconds
  /// Words and the like, each only once and of at most 256 bytes.
  std::vector<std::string> terms;

  bool operator==(const document_index&) const = default;
};

/// Any other stored value, by name: goals, facts, types, positions.
struct document {
  std::string collection;
  std::string key;
  std::string body; ///< JSON; "" removes the document
  uint64_t checksum = 0;
  /// For `find_documents`; documents that are read have none.
  std::optional<document_index> index = {};

  bool operator==(const document&) const = default;
};

/// Selects documents of a collection; empty members select all.
struct document_range {
  std::string key;
  std::vector<std::string> terms;  ///< all of them
  std::optional<timestamp> after;  ///< exclusive, in whole milliseconds
  std::optional<timestamp> before; ///< exclusive
  bool without_bodies = false;     ///< only their keys are read; bodies are "", checksums 0
};

/// Selects rows of an archive; empty members select all. The reader checks further conditions of a
/// filter in the bodies.
struct archive_range {
  std::vector<std::string> type;
  std::vector<std::string> status;
  std::vector<std::string> source;
  std::vector<std::string> owner;
  std::string turn_id;
  std::string observation_id;
  std::optional<timestamp> created_after;  ///< exclusive
  std::optional<timestamp> created_before; ///< exclusive
  std::optional<timestamp> left_before;    ///< exclusive, whole milliseconds
  uint64_t after = 0;                      ///< sequences above it
  uint64_t before = UINT64_MAX;            ///< sequences below it
  bool oldest_first = false;               ///< the lowest sequence first, not the highest
  bool without_bodies = false;             ///< bodies are "", for a caller that only counts
};

/// Keeps the history of agents as rows in transactions and does not interpret them. Each call is
/// one transaction: when it returns, all of it is durable, or none of it was done; only an `append`
/// for several agents may be one for each. It may be called from any thread; calls that write for
/// the same agent wait for each other. Texts are UTF-8 without NUL; names, ids
/// and keys have at most 1 KB; numbers except checksums are below 2^63.
///
/// Errors of all: `storage_unavailable` if the storage fails; `invalid_request` if the storage
/// works but can never store one of the values; for calls that write also `conflict` on the field
/// `epoch` if somebody else has claimed the agent since.
class store {
public:
  /// Returns false to end the reading, which is no error.
  template <class T>
  using visitor = std::function<bool(T&&)>;

  virtual ~store() = default;

  // -- agents -------------------------------------------------------------------

  /// Begins a new epoch of an agent, and creates the agent if it is new.
  virtual caf::expected<ownership> claim(const std::string& agent_id) = 0;
  /// Whether nobody else has claimed the agent since. In a store that only one process uses, that
  /// is always so.
  virtual caf::expected<bool> holds(const ownership& by) {
    std::ignore = by;
    return true;
  }
  /// Those of `xs` of which somebody else has claimed the agent since. A database is asked about
  /// many at once.
  virtual caf::expected<std::vector<ownership>> lost(std::span<const ownership> xs) {
    std::vector<ownership> result;
    for (const auto& x : xs)
      if (auto is_held = holds(x); !is_held)
        return is_held.error();
      else if (!*is_held)
        result.push_back(x);
    return result;
  }
  /// The key of an agent, without claiming it; nothing if there is no such agent.
  virtual caf::expected<std::optional<uint64_t>> find_agent(const std::string& agent_id) = 0;
  /// The ids of all agents, in bytewise order.
  virtual caf::expected<std::vector<std::string>> agents() = 0;
  /// The first `most` ids of agents after `after`, in the same order. What it costs depends on
  /// `most` and not on the number of agents.
  virtual caf::expected<std::vector<std::string>> agents_after(
    const std::string& after, uint64_t most) = 0;

  // -- the journal --------------------------------------------------------------

  /// Appends groups to journals, and returns a verdict for each of `xs`, in their order: no error
  /// if its group is durable. An agent that is refused takes nobody along; if the storage fails,
  /// all whose groups are not durable have that error. `xs` has at most one element for each agent,
  /// and its archived rows belong to events of its group. Error: `internal` if a group does not
  /// begin right after the end of the journal.
  virtual std::vector<caf::error> append(std::span<const journal_append> xs) = 0;
  /// Appends one group.
  caf::error append_one(const journal_append& x) { return append({&x, 1}).front(); }
  /// Reads the groups that end after `after`, in order.
  virtual caf::error read_journal(
    uint64_t agent, uint64_t after, const visitor<journal_group>& f) = 0;
  /// The last sequence that was acknowledged, or after which the journal begins, as the agent's row
  /// has it; 0 if there is none.
  virtual caf::expected<uint64_t> end_of_journal(uint64_t agent) = 0;
  /// Removes the groups that begin after `after`, and what they archived. A group that begins
  /// before and ends after it stays as it is.
  virtual caf::error cut_journal(const ownership& by, uint64_t after) = 0;
  /// Removes the groups that end at `until` or before. The archive stays.
  virtual caf::error forget_journal(const ownership& by, uint64_t until) = 0;
  /// Replaces the groups that have the same sequences. Groups that do not exist are ignored.
  virtual caf::error rewrite_journal(const ownership& by, std::span<const journal_group> xs) = 0;

  // -- snapshots ----------------------------------------------------------------

  /// The head of a snapshot. Error: `internal` if it is damaged.
  virtual caf::expected<snapshot_head> find_snapshot(uint64_t agent, snapshot_kind kind) = 0;
  /// Reads the rows of a snapshot in the order of their numbers.
  virtual caf::error read_snapshot(
    uint64_t agent, snapshot_kind kind, const visitor<snapshot_row>& f) = 0;
  /// Advances a snapshot to `head` and writes the rows that have changed.
  virtual caf::error move_snapshot(const ownership& by, snapshot_kind kind,
    const snapshot_head& head, std::span<const snapshot_row> changed) = 0;

  // -- documents ----------------------------------------------------------------

  /// Writes documents. Each replaces the document of the same name.
  virtual caf::error put(const ownership& by, std::span<const document> xs) = 0;
  /// Reads a collection in the bytewise order of the keys.
  virtual caf::error read_documents(
    uint64_t agent, const std::string& collection, const visitor<document>& f) = 0;

  /// The sum over all documents of a collection, as they were written (checksum.hpp); 0 if there
  /// are none.
  virtual caf::expected<uint64_t> sum_of_documents(
    uint64_t agent, const std::string& collection) = 0;

  /// Reads the documents that were written with an index, the latest first. Of those with the same
  /// time, the one that was written last comes first.
  virtual caf::error find_documents(uint64_t agent, const std::string& collection,
    const document_range& range, const visitor<document>& f) = 0;

  // -- the archive --------------------------------------------------------------

  virtual caf::error read_archive(
    uint64_t agent, const archive_range& range, const visitor<archive_row>& f) = 0;
  /// The sum over all archived rows, as they were written (checksum.hpp).
  virtual caf::expected<uint64_t> sum_of_archive(uint64_t agent) = 0;
  /// Compresses at most `most` rows that left before `left_before`, which is whole milliseconds;
  /// those that left first come first. Readers see no difference. Returns the number of rows; if it
  /// is less than `most`, there are no more.
  virtual caf::expected<uint64_t> pack_archive(
    const ownership& by, timestamp left_before, uint64_t most) = 0;
  /// Removes the rows of these sequences that exist.
  virtual caf::error remove_archived(const ownership& by, std::span<const uint64_t> sequences) = 0;

  // -- all of it ----------------------------------------------------------------

  /// Removes from the files, too, what was removed or replaced before, as far as the store can
  /// (docs/durability.md).
  virtual caf::error scrub() = 0;

  // -- imported and repaired histories ---------------------------------------------

  /// The collections that have a document, in bytewise order.
  virtual caf::expected<std::vector<std::string>> collections(uint64_t agent) = 0;
  /// Begins the journal of an agent after `after`. Error: `internal` if it has a journal already.
  virtual caf::error begin_journal(const ownership& by, uint64_t after) = 0;
  /// Adds rows of observations that left the page before. There must be no row of the same sequence
  /// yet.
  virtual caf::error add_archived(const ownership& by, std::span<const archive_row> xs) = 0;
};

} // namespace scratchpage
