#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage {

/// The place of an entry in the trace of an agent. As a cursor it is "EPOCH-BATCH-NUMBER".
struct trace_place {
  int64_t epoch = -1;
  int64_t batch = -1;
  int64_t number = 0; ///< in the batch

  std::string to_cursor() const {
    return std::to_string(epoch) + "-" + std::to_string(batch) + "-" + std::to_string(number);
  }
};

/// Reads a cursor. An empty text gives the place before all entries; nothing if the text is no
/// cursor.
inline std::optional<trace_place> read_trace_cursor(std::string_view text) {
  trace_place result;
  if (text.empty())
    return result;
  const auto* next = text.data();
  const auto* end = next + text.size();
  for (auto* x : {&result.epoch, &result.batch, &result.number}) {
    if (x != &result.epoch && (next == end || *next++ != '-'))
      return std::nullopt;
    auto [rest, error] = std::from_chars(next, end, *x);
    if (error != std::errc{} || *x < 0)
      return std::nullopt;
    next = rest;
  }
  return next == end ? std::optional{result} : std::nullopt;
}

} // namespace scratchpage

/// The tables in which traces are kept.

namespace scratchpage {

/// The statements that create the tables. Entries that are added together are one row for each
/// turn, because a row for each entry would cost more than most operations that entries are about.
/// Traces are kept for days and need no migrations: a later version uses other names and drops
/// these tables.
inline std::string tables_of(const sql::connection& db) {
  return R"(
  DROP TABLE IF EXISTS trace_entry;
  CREATE TABLE IF NOT EXISTS trace_block (
    agent_id TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    batch BIGINT NOT NULL,
    turn_id TEXT NOT NULL,
    began_ms BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    lines )"
         + db.type_of_bytes() + R"( NOT NULL,
    PRIMARY KEY (agent_id, epoch, batch, turn_id)
  );
  CREATE INDEX IF NOT EXISTS trace_block_by_turn ON trace_block (agent_id, turn_id, epoch, batch);
  CREATE INDEX IF NOT EXISTS trace_block_by_time ON trace_block (agent_id, ended_ms);
)";
}

/// The table with the number of commits, for the mark.
inline constexpr auto table_of_commits = R"(
  CREATE TABLE IF NOT EXISTS trace_commit (commits BIGINT NOT NULL);
  INSERT INTO trace_commit SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM trace_commit);
)";

} // namespace scratchpage
