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

/// Where traces are kept: one table in a database of its own, or beside others.
/// Ids of entries are unique within an `epoch`, which is a process that ran the
/// agent. May be called from any thread. Errors of all: `storage_unavailable`.
class trace_store {
public:
  /// False ends the reading; it is then no error.
  using visitor = std::function<bool(trace_entry&&)>;

  /// Connects, and makes the table if it is not there.
  static caf::expected<std::unique_ptr<trace_store>> open(sql::connector connect);

  /// Adds entries of one agent behind those of the epoch that are there, all or
  /// none.
  caf::error add(const std::string& agent_id, uint64_t epoch, std::span<const trace_entry> xs);

  /// Forgets what is older.
  caf::error forget(const std::string& agent_id, timestamp before);

  /// In the order in which they were written; an empty `turn_id` reads all.
  caf::error read(const std::string& agent_id, const std::string& turn_id, const visitor& f);

  /// The last `count`, in the order in which they were written.
  caf::expected<std::vector<trace_entry>> latest(const std::string& agent_id, uint64_t count);

  /// The `count` turns that ended last, the last one first.
  caf::expected<std::vector<traced_turn>> turns(const std::string& agent_id, uint64_t count);

private:
  explicit trace_store(sql::connector connect)
    : connect_{std::move(connect)} {}

  template <class F>
  caf::error use(F f);

  sql::connector connect_;
  std::mutex mutex_;
  std::unique_ptr<sql::connection> db_;
};

} // namespace scratchpage
