#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/trace.hpp"
#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage {

/// One turn, as its trace tells.
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

/// Which part of a turn's trace.
struct trace_order {
  static constexpr uint64_t most = 1'000;

  std::string turn_id;
  uint64_t limit = most; ///< entries, in [1, most]; fewer if they are large
  std::string cursor;    ///< the `next_cursor` of an answer: what comes after it

  static constexpr auto fields(auto all) {
    using self = trace_order;
    return all(required("turn_id", &self::turn_id), optional("limit", &self::limit),
      optional("cursor", &self::cursor));
  }
};

/// What was done in a turn, in the order in which it was written.
struct turn_trace {
  std::string turn_id;
  std::vector<trace_entry> entries;
  uint64_t total_count = 0; ///< of all parts
  std::string next_cursor;  ///< "": there is no more, so far

  static constexpr auto fields(auto all) {
    using self = turn_trace;
    return all(required("turn_id", &self::turn_id), required("entries", &self::entries),
      required("total_count", &self::total_count), optional("next_cursor", &self::next_cursor));
  }
};

/// Where traces are kept: one table in a database of its own, or beside others.
/// Ids of entries are unique within an `epoch`, which is a process that ran the
/// agent. May be called from any thread. Errors of all: `storage_unavailable`.
class trace_store {
public:
  /// False ends the reading; it is then no error.
  using visitor = std::function<bool(trace_entry&&)>;

  /// Connects, and makes the table if it is not there. With the mark of an SQLite database
  /// it sees what the database has lost, which is no error.
  static caf::expected<std::unique_ptr<trace_store>> open(
    sql::connector connect, std::shared_ptr<commit_mark> mark = {});

  /// What is missing, or may be, for people; "": nothing.
  const std::string& doubt() const { return doubt_; }

  /// Adds entries of one agent behind those of the epoch that are there, all or
  /// none.
  caf::error add(const std::string& agent_id, uint64_t epoch, std::span<const trace_entry> xs);

  /// Forgets what is older, also in the files.
  caf::error forget(const std::string& agent_id, timestamp before);

  /// If the agent's entries take more than so many bytes as they are stored, forgets the oldest:
  /// seven eighths of that stay, so that it need not be done soon again.
  caf::error keep_newest(const std::string& agent_id, uint64_t bytes);

  /// In the order in which they were written; an empty `turn_id` reads all.
  caf::error read(const std::string& agent_id, const std::string& turn_id, const visitor& f);

  /// A part of a turn's trace, of a megabyte or one entry at most. Errors:
  /// `invalid_request` on `turn_id`, `limit` and `cursor`; `not_found` on `turn_id` if
  /// nothing of it is there.
  caf::expected<turn_trace> turn(const std::string& agent_id, const trace_order& which);

  /// The last `count`, in the order in which they were written.
  caf::expected<std::vector<trace_entry>> latest(const std::string& agent_id, uint64_t count);

  /// The `count` turns that ended last, the last one first.
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

  sql::connector connect_;
  std::shared_ptr<commit_mark> mark_; ///< may be null
  std::string doubt_;
  std::mutex mutex_;
  std::unique_ptr<sql::connection> db_;
};

} // namespace scratchpage
