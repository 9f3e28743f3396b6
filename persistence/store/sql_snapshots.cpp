#include "scratchpage/persistence/store/sql_snapshots.hpp"

#include <optional>
#include <string>

#include "scratchpage/persistence/store/row_sums.hpp"
#include "scratchpage/persistence/store/sql_statements.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage::sql {

namespace {

/// Rows that are read before others get their turn.
constexpr int64_t rows_at_once = 64; // each may have half a megabyte

snapshot_head head_of(const row& x, int first) {
  return {number_at(x, first), number_at(x, first + 1), number_at(x, first + 2),
    number_at(x, first + 3), time_at(x, first + 4), number_at(x, first + 5)};
}

/// What its rows add up to so far.
uint64_t rows_of(connection& db, int64_t agent, int64_t kind) {
  uint64_t result = 0;
  select(
    db, "SELECT row_sum FROM snapshot WHERE agent = $1 AND kind = $2",
    [&](const row& x) { result = number_at(x, 0); }, agent, kind);
  return result;
}

/// Gives what the row added to the sum; nothing, if there is none.
uint64_t remove_row(connection& db, int64_t agent, int64_t kind, uint64_t number) {
  uint64_t result = 0;
  select(
    db,
    "DELETE FROM snapshot_row WHERE agent = $1 AND kind = $2 AND number = $3 RETURNING checksum",
    [&](const row& x) { result = sum_of(number, number_at(x, 0)); }, agent, kind, stored(number));
  return result;
}

/// Whether there was none of that number; else it is not added.
bool add_row(connection& db, int64_t agent, int64_t kind, const snapshot_row& x) {
  auto added = run(db,
    "INSERT INTO snapshot_row (agent, kind, number, event, checksum) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT (agent, kind, number) DO NOTHING",
    agent, kind, stored(x.number), &x.event, stored_bits(x.checksum));
  return added > 0;
}

/// Gives by what the sum changes. Most rows are of new observations, and take one statement.
uint64_t put_row(connection& db, int64_t agent, int64_t kind, const snapshot_row& x) {
  if (x.event.empty())
    return 0 - remove_row(db, agent, kind, x.number);
  auto sum = sum_of(x.number, x.checksum);
  if (add_row(db, agent, kind, x))
    return sum;
  sum -= remove_row(db, agent, kind, x.number);
  add_row(db, agent, kind, x);
  return sum;
}

void put_head(connection& db, uint64_t agent, snapshot_kind kind, const snapshot_head& head) {
  run(db,
    "INSERT INTO snapshot (agent, kind, sequence, last_number, expired, evicted, at_ms, row_sum, "
    "checksum) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (agent, kind) DO UPDATE SET "
    "sequence = excluded.sequence, last_number = excluded.last_number, "
    "expired = excluded.expired, evicted = excluded.evicted, at_ms = excluded.at_ms, "
    "row_sum = excluded.row_sum, checksum = excluded.checksum",
    stored(agent), static_cast<int64_t>(kind), stored(head.sequence), stored(head.last_number),
    stored(head.expired), stored(head.evicted), stored(head.at), stored_bits(head.rows),
    stored_bits(checksum_of(agent, kind, head)));
}

struct found_snapshot {
  uint64_t agent;
  snapshot_kind kind;
  snapshot_head head;
};

/// Adds some of the rows above `after`, which moves to the last of them. Gives how many there were.
int64_t sum_some(connection& db, const found_snapshot& of, int64_t& after, uint64_t& sum) {
  int64_t found = 0;
  auto from = after;
  select(
    db,
    "SELECT number, checksum FROM snapshot_row WHERE agent = $1 AND kind = $2 AND number > $3 "
    "ORDER BY number LIMIT $4",
    [&](const row& x) {
      ++found;
      after = x.integer(0);
      sum += sum_of(number_at(x, 0), number_at(x, 1));
    },
    stored(of.agent), static_cast<int64_t>(of.kind), from, sealed_at_once);
  return found;
}

uint64_t sum_of_rows(connection& db, const found_snapshot& of) {
  uint64_t result = 0;
  int64_t after = -1;
  while (sum_some(db, of, after, result) > 0)
    continue;
  return result;
}

} // namespace

caf::expected<snapshot_head> find_snapshot(connection& db, uint64_t agent, snapshot_kind kind) {
  snapshot_head head;
  auto is_whole = true;
  select(
    db,
    "SELECT sequence, last_number, expired, evicted, at_ms, row_sum, checksum FROM snapshot "
    "WHERE agent = $1 AND kind = $2",
    [&](const row& x) {
      head = head_of(x, 0);
      is_whole = checksum_of(agent, kind, head) == number_at(x, 6);
    },
    stored(agent), static_cast<int64_t>(kind));
  if (!is_whole)
    return needs_repair("the head of the " + to_string(kind) + " snapshot is damaged");
  return head;
}

std::vector<snapshot_row> read_some_snapshot(
  connection& db, uint64_t agent, snapshot_kind kind, int64_t after) {
  std::vector<snapshot_row> rows;
  select(
    db,
    "SELECT number, event, checksum FROM snapshot_row WHERE agent = $1 AND kind = $2 "
    "AND number > $3 ORDER BY number LIMIT $4",
    [&](const row& x) {
      rows.push_back({number_at(x, 0), x.text(1), number_at(x, 2)});
    },
    stored(agent), static_cast<int64_t>(kind), after, rows_at_once);
  return rows;
}

void move_snapshot(connection& db, uint64_t agent, snapshot_kind kind, snapshot_head head,
  std::span<const snapshot_row> changed) {
  auto key = stored(agent);
  auto which = static_cast<int64_t>(kind);
  head.rows = rows_of(db, key, which);
  for (const auto& x : changed)
    head.rows += put_row(db, key, which, x);
  put_head(db, agent, kind, head);
}

void seal_snapshots(connection& db) {
  std::vector<found_snapshot> all;
  select(db,
    "SELECT agent, kind, sequence, last_number, expired, evicted, at_ms, row_sum FROM snapshot",
    [&](const row& x) {
      all.push_back({number_at(x, 0), static_cast<snapshot_kind>(x.integer(1)), head_of(x, 2)});
    });
  for (auto& x : all) {
    x.head.rows = sum_of_rows(db, x);
    put_head(db, x.agent, x.kind, x.head);
  }
}

} // namespace scratchpage::sql
