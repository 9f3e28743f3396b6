#include "scratchpage/persistence/store/sql_tables.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/sql_journal.hpp"

namespace scratchpage::sql {

namespace {

/// Migrations. Each brings a database from the version before it to its own version, which is its
/// place in the list, counted from 1. Once released, none is changed; new ones are appended. Times
/// are milliseconds since 1970, checksums are XXH3 of the text beside them. BYTES is replaced by
/// the name that the database has for that type.
constexpr std::array migrations{
  R"(
    CREATE TABLE agent (
      agent BIGINT PRIMARY KEY,
      agent_id TEXT NOT NULL UNIQUE,
      epoch BIGINT NOT NULL,
      last_sequence BIGINT NOT NULL
    );
    CREATE TABLE journal (
      agent BIGINT NOT NULL,
      first_sequence BIGINT NOT NULL,
      last_sequence BIGINT NOT NULL,
      at_ms BIGINT NOT NULL,
      events TEXT NOT NULL,
      checksum BIGINT NOT NULL,
      PRIMARY KEY (agent, first_sequence)
    );
    CREATE TABLE snapshot (
      agent BIGINT NOT NULL,
      kind BIGINT NOT NULL,
      sequence BIGINT NOT NULL,
      last_number BIGINT NOT NULL,
      expired BIGINT NOT NULL,
      evicted BIGINT NOT NULL,
      at_ms BIGINT NOT NULL,
      PRIMARY KEY (agent, kind)
    );
    CREATE TABLE snapshot_row (
      agent BIGINT NOT NULL,
      kind BIGINT NOT NULL,
      number BIGINT NOT NULL,
      event TEXT NOT NULL,
      checksum BIGINT NOT NULL,
      PRIMARY KEY (agent, kind, number)
    );
    CREATE TABLE document (
      agent BIGINT NOT NULL,
      collection TEXT NOT NULL,
      name TEXT NOT NULL,
      body TEXT NOT NULL,
      checksum BIGINT NOT NULL,
      PRIMARY KEY (agent, collection, name)
    );
    CREATE TABLE archive (
      agent BIGINT NOT NULL,
      sequence BIGINT NOT NULL,
      observation_id TEXT NOT NULL,
      type TEXT NOT NULL,
      status TEXT NOT NULL,
      source TEXT NOT NULL,
      owner TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      created_ms BIGINT NOT NULL,
      left_ms BIGINT NOT NULL,
      body TEXT NOT NULL,
      checksum BIGINT NOT NULL,
      PRIMARY KEY (agent, sequence)
    );
    CREATE INDEX archive_by_id ON archive (agent, observation_id);
  )",
  // Documents that are found by time and words: `place` numbers them in the order in
  // which they were put. It is 0 for all others.
  R"(
    ALTER TABLE document ADD COLUMN at_ms BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE document ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
    CREATE INDEX document_by_time ON document (agent, collection, at_ms, place) WHERE place > 0;
    CREATE TABLE document_place (
      agent BIGINT PRIMARY KEY,
      last_place BIGINT NOT NULL
    );
    CREATE TABLE document_term (
      agent BIGINT NOT NULL,
      term TEXT NOT NULL,
      place BIGINT NOT NULL,
      PRIMARY KEY (agent, term, place)
    );
    CREATE INDEX document_term_by_place ON document_term (agent, place);
  )",
  // Observations that left long ago: `pack` says which pack has the body, whose checksum stays
  // in the row. It is 0 if no pack has it. compression.hpp has the form of `bodies`.
  R"(
    CREATE TABLE archive_pack (
      agent BIGINT NOT NULL,
      pack BIGINT NOT NULL,
      row_count BIGINT NOT NULL,
      body_bytes BIGINT NOT NULL,
      bodies BYTES NOT NULL,
      checksum BIGINT NOT NULL,
      PRIMARY KEY (agent, pack)
    );
    ALTER TABLE archive ADD COLUMN pack BIGINT NOT NULL DEFAULT 0;
    CREATE INDEX archive_by_pack ON archive (agent, pack);
    CREATE INDEX archive_to_pack ON archive (agent, left_ms, sequence) WHERE pack = 0;
  )",
  // The number of commits (commit_mark.hpp), and 128 random bits that no other claim has, whatever
  // its epoch is.
  R"(
    ALTER TABLE agent ADD COLUMN commits BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE agent ADD COLUMN claim_high BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE agent ADD COLUMN claim_low BIGINT NOT NULL DEFAULT 0;
  )",
  // Sums over the rows of a snapshot, a collection and an archive, and a checksum of a snapshot's
  // head (checksum.hpp). The column `commits` gets another name: older programs, which do not know
  // the sums, use it in each write, so from here on they cannot change anything. The table that
  // every writer locks first is changed first, so that there is no deadlock.
  R"(
    ALTER TABLE agent RENAME COLUMN commits TO commit_count;
    ALTER TABLE snapshot ADD COLUMN row_sum BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE snapshot ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE agent ADD COLUMN archive_sum BIGINT NOT NULL DEFAULT 0;
    CREATE TABLE document_sum (
      agent BIGINT NOT NULL,
      collection TEXT NOT NULL,
      row_sum BIGINT NOT NULL,
      PRIMARY KEY (agent, collection)
    );
  )",
  // No other tables: the lines of the journal may have request keys, which older programs refuse.
  "",
};

/// The version that introduced the sums. They are computed when a database is migrated to it.
constexpr int64_t first_with_sums = 5;

void seal(connection& db) {
  seal_snapshots(db);
  seal_documents(db);
  seal_archives(db);
}

std::optional<int64_t> version_of(connection& db) {
  std::optional<int64_t> found;
  db.script("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)");
  db.run("SELECT version FROM schema_version", {}, [&](const row& x) { found = x.integer(0); });
  return found;
}

/// A statement without indentation. SQLite stores statements as they are written; without the
/// indentation all of them fit into the first page of the file, the only page that repair needs.
std::string without_indentation(std::string_view text) {
  std::string result;
  for (auto c : text)
    if (c != ' ' || (!result.empty() && result.back() != '\n'))
      result += c;
  return result;
}

std::string statements_of(std::string_view migration, const std::string& type_of_bytes) {
  constexpr std::string_view name = "BYTES";
  auto result = without_indentation(migration);
  for (auto i = result.find(name); i != std::string::npos; i = result.find(name, i))
    result.replace(i, name.size(), type_of_bytes);
  return result;
}

void migrate(connection& db, int64_t to) {
  auto found = version_of(db);
  auto version = found.value_or(0);
  if (version > schema_version())
    throw failure{"the data was written by a newer scratchpage (its version is "
                  + std::to_string(version) + ", this program reads up to "
                  + std::to_string(schema_version()) + "); use the newer program"};
  for (auto i = version; i < to; ++i)
    if (std::string_view script{migrations.at(static_cast<size_t>(i))}; !script.empty())
      db.script(statements_of(script, db.type_of_bytes()));
  if (version < first_with_sums && to >= first_with_sums)
    seal(db);
  argument now = to;
  if (!found)
    db.run("INSERT INTO schema_version (version) VALUES ($1)", {&now, 1});
  else if (version < to)
    db.run("UPDATE schema_version SET version = $1", {&now, 1});
}

} // namespace

int64_t schema_version() {
  return static_cast<int64_t>(migrations.size());
}

void bring_up_to(connection& db, int64_t version) {
  in_transaction(
    db, [&] { db.begin(true); },
    [&] {
      migrate(db, version);
      index_agents(db);
    });
}

} // namespace scratchpage::sql
