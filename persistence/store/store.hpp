#pragma once

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

#include "scratchpage/messages/claim_key.hpp"
#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The right to write one agent's history: the agent's key in the store, the epoch in
/// which it was claimed, and what no other claim has. A later claim ends it.
struct ownership {
  uint64_t agent = 0;
  uint64_t epoch = 0;
  claim_key claim = {};

  bool operator==(const ownership&) const = default;
};

/// The events of one commit, as text (journal_text.hpp), under one checksum.
struct journal_group {
  uint64_t first = 0; ///< sequences of the events, both inclusive
  uint64_t last = 0;
  timestamp at; ///< of the last event, whole milliseconds
  std::string events;
  uint64_t checksum = 0;

  bool operator==(const journal_group&) const = default;
};

/// One observation that has left the page, found by what a filter may ask.
struct archive_row {
  uint64_t sequence = 0; ///< of the event in which it left
  std::string observation_id;
  std::string type;
  std::string status; ///< "archived", "expired" or "evicted"
  std::string source; ///< the name of whom it came from
  std::string owner;
  std::string turn_id;
  timestamp created_at;
  timestamp left_at;
  std::string body; ///< the observation in JSON
  uint64_t checksum = 0;

  bool operator==(const archive_row&) const = default;
};

/// What one agent's page has to have kept.
struct journal_append {
  ownership by;
  /// The last sequence that was acknowledged. What the store holds beyond it is
  /// of a commit that failed only seemingly, and goes.
  uint64_t after = 0;
  journal_group group;
  std::vector<archive_row> archived;
};

/// Pages as they were once, so that recovery need not begin at the beginning.
enum class snapshot_kind : uint8_t {
  latest, ///< what recovery begins with
  oldest, ///< where the journal that is still kept begins
};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<snapshot_kind>{"latest", "oldest"};

/// What a page counts, at the time of a snapshot.
struct snapshot_head {
  uint64_t sequence = 0;    ///< of the last event in it; 0: there is none
  uint64_t last_number = 0; ///< of all observations so far
  uint64_t expired = 0;
  uint64_t evicted = 0;
  timestamp at; ///< of the last event
  /// Sum over its rows (row_sums.hpp). The store counts it: what is given is not looked at.
  uint64_t rows = 0;

  bool operator==(const snapshot_head&) const = default;
};

/// The last event of one observation, which is on the page.
struct snapshot_row {
  uint64_t number = 0;
  std::string event; ///< in JSON; "": the observation is not there any more
  uint64_t checksum = 0;

  bool operator==(const snapshot_row&) const = default;
};

/// By what a document is found, beyond its name.
struct document_index {
  timestamp at; ///< in whole milliseconds
  /// Each once. They are words and the like: 256 bytes at most, each.
  std::vector<std::string> terms;

  bool operator==(const document_index&) const = default;
};

/// Anything else that is kept, by name: goals, facts, types, positions.
struct document {
  std::string collection;
  std::string key;
  std::string body; ///< JSON; "": there is none any more
  uint64_t checksum = 0;
  /// For `find_documents`; what is read has none.
  std::optional<document_index> index = {};

  bool operator==(const document&) const = default;
};

/// Which documents of a collection are looked at; empty members mean all.
struct document_range {
  std::string key;
  std::vector<std::string> terms;  ///< all of them
  std::optional<timestamp> after;  ///< exclusive, in whole milliseconds
  std::optional<timestamp> before; ///< exclusive
  bool without_bodies = false;     ///< only their keys are read; bodies are "", checksums 0
};

/// Which rows of an archive are looked at; empty members mean all. What a
/// filter asks beyond it, the reader looks for in the bodies.
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
  bool without_bodies = false;             ///< "" in place of each: somebody only counts
};

/// Where the history of agents is kept: rows in transactions, and no knowledge
/// of what they mean. Each call is one transaction: all of it is durable when it
/// returns, or none of it. May be called from any thread; calls that write wait
/// for each other. Texts are UTF-8 without NUL; names, ids and keys, which are
/// looked up by, of 1 KB at most; numbers, but for checksums, below 2^63.
///
/// Errors of all: `storage_unavailable`, if the storage fails; `invalid_request`, if
/// it is well and can never keep one of the values; and for what writes `conflict`
/// on the field `epoch`, if somebody else has claimed the agent since.
class store {
public:
  /// False ends the reading; it is then no error.
  template <class T>
  using visitor = std::function<bool(T&&)>;

  virtual ~store() = default;

  // -- agents -------------------------------------------------------------------

  /// Begins a new epoch, and makes the agent if it is new.
  virtual caf::expected<ownership> claim(const std::string& agent_id) = 0;
  /// Whether nobody has claimed the agent since. In a store that one process has for itself
  /// nobody can have.
  virtual caf::expected<bool> holds(const ownership& by) {
    std::ignore = by;
    return true;
  }
  /// The key of an agent that is there; nothing is claimed.
  virtual caf::expected<std::optional<uint64_t>> find_agent(const std::string& agent_id) = 0;
  /// All of them, by name.
  virtual caf::expected<std::vector<std::string>> agents() = 0;

  // -- the journal --------------------------------------------------------------

  /// Of one agent at most one of `xs`, and what is archived happened in its
  /// group. Error `internal` if a group does not begin right after what is kept.
  /// Of several errors it is the one of the lowest key of an agent.
  virtual caf::error append(std::span<const journal_append> xs) = 0;
  /// The groups that end after `after`, in order.
  virtual caf::error read_journal(
    uint64_t agent, uint64_t after, const visitor<journal_group>& f) = 0;
  /// The last sequence that was acknowledged to an agent, or with which its journal begins, as
  /// the agent's row has it; 0 if there is none.
  virtual caf::expected<uint64_t> end_of_journal(uint64_t agent) = 0;
  /// Removes the groups that begin after `after`, and what they archived. One
  /// that begins before and ends beyond it stays as it is.
  virtual caf::error cut_journal(const ownership& by, uint64_t after) = 0;
  /// Removes the groups that end at `until` or before. The archive stays.
  virtual caf::error forget_journal(const ownership& by, uint64_t until) = 0;
  /// Each takes the place of the group of the same sequences; one that is not
  /// there is passed over.
  virtual caf::error rewrite_journal(const ownership& by, std::span<const journal_group> xs) = 0;

  // -- snapshots ----------------------------------------------------------------

  /// Error `internal` if it is not as it was written.
  virtual caf::expected<snapshot_head> find_snapshot(uint64_t agent, snapshot_kind kind) = 0;
  /// In the order of their numbers.
  virtual caf::error read_snapshot(
    uint64_t agent, snapshot_kind kind, const visitor<snapshot_row>& f) = 0;
  /// Moves it on to what `head` says.
  virtual caf::error move_snapshot(const ownership& by, snapshot_kind kind,
    const snapshot_head& head, std::span<const snapshot_row> changed) = 0;

  // -- documents ----------------------------------------------------------------

  /// Each takes the place of the one of the same name.
  virtual caf::error put(const ownership& by, std::span<const document> xs) = 0;
  /// In the order of their keys, bytewise.
  virtual caf::error read_documents(
    uint64_t agent, const std::string& collection, const visitor<document>& f) = 0;

  /// Of all of a collection, as they were put (row_sums.hpp); 0 if there is none.
  virtual caf::expected<uint64_t> sum_of_documents(
    uint64_t agent, const std::string& collection) = 0;

  /// Those that were put with an index: the latest first; of those at the same time,
  /// that which was put last.
  virtual caf::error find_documents(uint64_t agent, const std::string& collection,
    const document_range& range, const visitor<document>& f) = 0;

  // -- the archive --------------------------------------------------------------

  virtual caf::error read_archive(
    uint64_t agent, const archive_range& range, const visitor<archive_row>& f) = 0;
  /// Of all of it, as it was archived (row_sums.hpp).
  virtual caf::expected<uint64_t> sum_of_archive(uint64_t agent) = 0;
  /// Compresses what left before `left_before`, which is whole milliseconds, those
  /// that left first and at most `most` of them. Who reads sees no difference.
  /// Gives how many they were; fewer than `most`: there are no more.
  virtual caf::expected<uint64_t> pack_archive(
    const ownership& by, timestamp left_before, uint64_t most) = 0;
  /// Removes the rows of these sequences, as far as they are there.
  virtual caf::error remove_archived(const ownership& by, std::span<const uint64_t> sequences) = 0;

  // -- all of it ----------------------------------------------------------------

  /// What was removed or replaced before goes from the files, too, as far as that
  /// is in the store's hand (docs/durability.md).
  virtual caf::error scrub() = 0;

  // -- histories that come from elsewhere -----------------------------------------

  /// The collections that have a document, bytewise in order.
  virtual caf::expected<std::vector<std::string>> collections(uint64_t agent) = 0;
  /// The journal of an agent that has none yet begins after `after`. Error
  /// `internal` if there was a group already.
  virtual caf::error begin_journal(const ownership& by, uint64_t after) = 0;
  /// Adds to the archive what left the page before; there is no row of the same
  /// sequence yet.
  virtual caf::error add_archived(const ownership& by, std::span<const archive_row> xs) = 0;
};

} // namespace scratchpage
