#pragma once

#include <string>

#include "scratchpage/persistence/store/sql_connection.hpp"

/// The tables in which traces are kept.

namespace scratchpage {

/// Entries that were added together are one row for each turn: a row for each would cost
/// more than most of what it tells of. Traces are kept for days and need no migrations: a
/// later form gets another name, and this one is forgotten.
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

/// How many commits there have been, for the mark.
inline constexpr auto table_of_commits = R"(
  CREATE TABLE IF NOT EXISTS trace_commit (commits BIGINT NOT NULL);
  INSERT INTO trace_commit SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM trace_commit);
)";

} // namespace scratchpage
