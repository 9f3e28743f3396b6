#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/trace.hpp"
#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/compression.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage {

/// A summary of the trace of one turn.
struct traced_turn {
  std::string turn_id;
  timestamp began;
  timestamp ended;
  uint64_t entries = 0;
  uint64_t failures = 0; ///< entries whose status is neither `success` nor `warning`

  static constexpr auto fields(auto all) {
    using self = traced_turn;
    return all(required("turn_id", &self::turn_id), required("began", &self::began),
      required("ended", &self::ended), required("entries", &self::entries),
      required("failures", &self::failures));
  }
};

/// Selects a part of the trace of a turn.
struct trace_query {
  static constexpr uint64_t most = 1'000;

  std::string turn_id;
  uint64_t limit = most; ///< entries, in [1, most]; fewer if they are large
  std::string cursor;    ///< "" or the `next_cursor` of an earlier answer

  static constexpr auto fields(auto all) {
    using self = trace_query;
    return all(required("turn_id", &self::turn_id), optional("limit", &self::limit),
      optional("cursor", &self::cursor));
  }
};

/// A part of the trace of a turn, in the order of writing.
struct turn_trace {
  std::string turn_id;
  std::vector<trace_entry> entries;
  uint64_t total_count = 0; ///< entries of all parts
  std::string next_cursor;  ///< "" if there is no more yet

  static constexpr auto fields(auto all) {
    using self = turn_trace;
    return all(required("turn_id", &self::turn_id), required("entries", &self::entries),
      required("total_count", &self::total_count), optional("next_cursor", &self::next_cursor));
  }
};

/// Selects the turns that ended last.
struct traced_turns_query {
  static constexpr std::string_view name = "trace_turns"; ///< of the operation
  static constexpr uint64_t most = 10'000;

  uint64_t limit = 100; ///< in [1, most]

  static constexpr auto fields(auto all) {
    return all(optional("limit", &traced_turns_query::limit));
  }
};

struct traced_turn_list {
  std::vector<traced_turn> turns; ///< the latest first

  static constexpr auto fields(auto all) {
    return all(required("turns", &traced_turn_list::turns));
  }
};

/// Selects the last entries of all turns.
struct latest_entries_query {
  static constexpr std::string_view name = "trace_latest"; ///< of the operation
  static constexpr uint64_t most = 10'000;

  uint64_t limit = 100; ///< in [1, most]; fewer if they are large

  static constexpr auto fields(auto all) {
    return all(optional("limit", &latest_entries_query::limit));
  }
};

struct latest_entries {
  std::vector<trace_entry> entries; ///< in the order of writing

  static constexpr auto fields(auto all) {
    return all(required("entries", &latest_entries::entries));
  }
};

/// Entries of one run of an agent that are stored together.
struct trace_batch {
  std::string agent_id;
  uint64_t epoch = 0;
  std::span<const trace_entry> entries;
};

/// Stores traces in one table, in a database of its own or beside other tables. Ids of entries are
/// unique within an `epoch`, which is one run of the agent. Any thread may use it. Errors of all:
/// `storage_unavailable`.
class trace_store {
public:
  /// Returns false to end the reading, which is no error.
  using visitor = std::function<bool(trace_entry&&)>;

  /// Connects, and creates the table if it does not exist. With the mark of an SQLite database it
  /// notices lost commits, which are no error.
  static caf::expected<std::unique_ptr<trace_store>> open(
    sql::connector connect, std::shared_ptr<commit_mark> mark = {});

  /// What is missing or may be missing, for people; "" if nothing is.
  const std::string& doubt() const { return doubt_; }

  /// Appends entries of agents to those of their epochs, all or none.
  caf::error add(std::span<const trace_batch> xs);
  caf::error add(const std::string& agent_id, uint64_t epoch, std::span<const trace_entry> xs);

  /// Removes entries that are older than `before`, also from the files.
  caf::error forget(const std::string& agent_id, timestamp before);

  /// If the agent's entries take more than `bytes` in the store, removes the oldest until they take
  /// at most seven eighths of it, so that this is not needed again soon.
  caf::error keep_newest(const std::string& agent_id, uint64_t bytes);

  /// Reads the entries of a turn in the order of writing; an empty `turn_id` reads all entries.
  caf::error read(const std::string& agent_id, const std::string& turn_id, const visitor& f);

  /// Reads a part of the trace of a turn, of at most a megabyte or of one entry. Errors:
  /// `invalid_request` on `turn_id`, `limit` and `cursor`; `not_found` on `turn_id` if the turn has
  /// no entries.
  caf::expected<turn_trace> turn(const std::string& agent_id, const trace_query& which);

  /// The last `count` entries, in the order of writing.
  caf::expected<std::vector<trace_entry>> latest(const std::string& agent_id, uint64_t count);

  /// The `count` turns that ended last, the latest first.
  caf::expected<std::vector<traced_turn>> turns(const std::string& agent_id, uint64_t count);

private:
  trace_store(sql::connector connect, std::shared_ptr<commit_mark> mark)
    : connect_{std::move(connect)},
      mark_{std::move(mark)} {}

  template <class F>
  caf::error use(F f);
  template <class F>
  void change(sql::connection& db, F f);
  void look_what_is_missing(sql::connection& db);

  /// The level of compression. Entries are much alike, so this level already saves seven eighths of
  /// the room, and costs less than writing these bytes.
  static constexpr int compression = 1;

  sql::connector connect_;
  std::shared_ptr<commit_mark> mark_; ///< may be null
  std::string doubt_;
  std::mutex mutex_;
  std::unique_ptr<sql::connection> db_;
  compressor pack_{compression};
};

} // namespace scratchpage
