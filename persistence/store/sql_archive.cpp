#include "scratchpage/persistence/store/sql_tables.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/compression.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

namespace {

/// Rows that are read in one transaction, so that others are served in between. A body may have
/// half a megabyte.
constexpr int64_t observations_at_once = 32;
constexpr int64_t bare_rows_at_once = 1'024;

/// A pack with so many rows, or so many bytes, takes no more rows.
constexpr uint64_t max_rows = 256;
constexpr uint64_t max_bytes = uint64_t{4} << 20;

// -- packs ------------------------------------------------------------------------------

uint64_t bytes_of(const archive_bodies& bodies) {
  uint64_t result = 0;
  for (const auto& [sequence, body] : bodies)
    result += body.size();
  return result;
}

/// The checksum of a pack; 0 if there is no such pack.
uint64_t checksum_of_pack(connection& db, uint64_t agent, uint64_t number) {
  uint64_t result = 0;
  select(
    db, "SELECT checksum FROM archive_pack WHERE agent = $1 AND pack = $2",
    [&](const row& x) { result = number_at(x, 0); }, stored(agent), stored(number));
  return result;
}

/// The bodies of a pack; nothing if there is no such pack or it is damaged.
std::optional<archive_bodies> read_pack(connection& db, uint64_t agent, uint64_t number) {
  std::string stored_bodies;
  uint64_t checksum = 0;
  select(
    db, "SELECT bodies, checksum FROM archive_pack WHERE agent = $1 AND pack = $2",
    [&](const row& x) {
      stored_bodies = x.bytes(0);
      checksum = number_at(x, 1);
    },
    stored(agent), stored(number));
  if (checksum_of(stored_bodies) != checksum)
    return std::nullopt;
  return unpack(stored_bodies);
}

void write_pack(connection& db, uint64_t agent, uint64_t number, const archive_bodies& bodies) {
  auto packed = pack(bodies);
  run(db,
    "INSERT INTO archive_pack (agent, pack, row_count, body_bytes, bodies, checksum) "
    "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (agent, pack) DO UPDATE SET "
    "row_count = excluded.row_count, body_bytes = excluded.body_bytes, "
    "bodies = excluded.bodies, checksum = excluded.checksum",
    stored(agent), stored(number), stored(bodies.size()), stored(bytes_of(bodies)), bytes{&packed},
    stored_bits(checksum_of(packed)));
}

/// Removes the bodies to which no row refers any more. A damaged pack stays as it is until no row
/// refers to it.
void shrink_pack(connection& db, uint64_t agent, uint64_t number) {
  std::set<uint64_t> wanted;
  select(
    db, "SELECT sequence FROM archive WHERE agent = $1 AND pack = $2",
    [&](const row& x) { wanted.insert(number_at(x, 0)); }, stored(agent), stored(number));
  if (wanted.empty()) {
    run(
      db, "DELETE FROM archive_pack WHERE agent = $1 AND pack = $2", stored(agent), stored(number));
    return;
  }
  auto bodies = read_pack(db, agent, number);
  if (!bodies)
    return;
  std::erase_if(*bodies, [&](const auto& x) { return !wanted.contains(x.first); });
  write_pack(db, agent, number, *bodies);
}

/// The pack that is being filled.
struct open_pack {
  uint64_t number = 1;
  archive_bodies bodies;
  uint64_t bytes = 0;

  bool is_full() const { return bodies.size() >= max_rows || bytes >= max_bytes; }
};

/// The last pack if it has room, else a new one after it.
open_pack begin_pack(connection& db, uint64_t agent) {
  uint64_t last = 0;
  uint64_t rows = 0;
  uint64_t size = 0;
  select(
    db,
    "SELECT pack, row_count, body_bytes FROM archive_pack WHERE agent = $1 "
    "ORDER BY pack DESC LIMIT 1",
    [&](const row& x) {
      last = number_at(x, 0);
      rows = number_at(x, 1);
      size = number_at(x, 2);
    },
    stored(agent));
  if (last > 0 && rows < max_rows && size < max_bytes)
    if (auto bodies = read_pack(db, agent, last))
      return {last, std::move(*bodies), size};
  return {last + 1, {}, 0};
}

// -- rows -------------------------------------------------------------------------------

archive_row archive_row_of(const row& x) {
  archive_row result{number_at(x, 0), x.text(1), x.text(2), x.text(3), x.text(4), x.text(5),
    x.text(6), time_at(x, 7), time_at(x, 8), x.text(9)};
  result.checksum = number_at(x, 10);
  return result;
}

void add_row(connection& db, uint64_t agent, const archive_row& x) {
  run(db,
    "INSERT INTO archive (agent, sequence, observation_id, type, status, source, owner, turn_id, "
    "created_ms, left_ms, body, checksum) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, "
    "$12)",
    stored(agent), stored(x.sequence), &x.observation_id, &x.type, &x.status, &x.source, &x.owner,
    &x.turn_id, stored(x.created_at), stored(x.left_at), &x.body, stored_bits(x.checksum));
}

/// Changes the sum by XOR. It is written with other operators, because SQLite has no XOR and
/// PostgreSQL's differs.
void change_sum(connection& db, uint64_t agent, uint64_t by) {
  if (by != 0)
    run(db,
      "UPDATE agent SET archive_sum = (archive_sum | $1) - (archive_sum & $1) WHERE agent = $2",
      stored_bits(by), stored(agent));
}

/// The key of a row.
struct archive_place {
  int64_t agent = INT64_MIN;
  int64_t sequence = INT64_MIN;
};

/// Adds some of the rows after `after` to the sums by agent, and moves `after` to the last of them.
/// Returns their number.
int64_t sum_some(connection& db, archive_place& after, std::map<uint64_t, uint64_t>& sums) {
  int64_t found = 0;
  auto from = after;
  select(
    db,
    "SELECT sequence, observation_id, type, status, source, owner, turn_id, created_ms, left_ms, "
    "'', checksum, agent FROM archive WHERE (agent, sequence) > ($1, $2) "
    "ORDER BY agent, sequence LIMIT $3",
    [&](const row& x) {
      ++found;
      after = {x.integer(11), x.integer(0)};
      sums[number_at(x, 11)] ^= sum_of(archive_row_of(x));
    },
    from.agent, from.sequence, sealed_at_once);
  return found;
}

conditions conditions_of(uint64_t agent, const archive_range& range, uint64_t edge) {
  conditions where;
  where.add("agent = ", stored(agent));
  where.add("sequence < ", stored(range.oldest_first ? range.before : edge));
  where.add("sequence > ", stored(range.oldest_first ? edge : range.after));
  where.add_any_of("type", range.type);
  where.add_any_of("status", range.status);
  where.add_any_of("source", range.source);
  where.add_any_of("owner", range.owner);
  if (!range.turn_id.empty())
    where.add("turn_id = ", &range.turn_id);
  if (!range.observation_id.empty())
    where.add("observation_id = ", &range.observation_id);
  if (range.created_after)
    where.add("created_ms > ", stored(*range.created_after));
  if (range.created_before)
    where.add("created_ms < ", stored(*range.created_before));
  if (range.left_before)
    where.add("left_ms < ", stored(*range.left_before));
  return where;
}

} // namespace

void add_archived(connection& db, uint64_t agent, std::span<const archive_row> xs) {
  uint64_t sum = 0;
  for (const auto& x : xs) {
    add_row(db, agent, x);
    sum ^= sum_of(x);
  }
  change_sum(db, agent, sum);
}

uint64_t sum_of_archive(connection& db, uint64_t agent) {
  uint64_t result = 0;
  select(
    db, "SELECT archive_sum FROM agent WHERE agent = $1",
    [&](const row& x) { result = number_at(x, 0); }, stored(agent));
  return result;
}

void seal_archives(connection& db) {
  std::map<uint64_t, uint64_t> sums;
  archive_place after;
  while (sum_some(db, after, sums) > 0)
    continue;
  for (const auto& [agent, sum] : sums)
    change_sum(db, agent, sum);
}

std::string unpacked_bodies::body(connection& db, uint64_t pack, uint64_t sequence) {
  if (pack != pack_ || !is_known_) {
    auto checksum = checksum_of_pack(db, agent_, pack);
    if (pack != pack_ || checksum != checksum_)
      bodies_ = read_pack(db, agent_, pack).value_or(archive_bodies{});
    pack_ = pack;
    checksum_ = checksum;
    is_known_ = true;
  }
  auto i = bodies_.find(sequence);
  return i == bodies_.end() ? "" : i->second;
}

std::vector<archive_row> read_some_archive(connection& db, uint64_t agent,
  const archive_range& range, uint64_t edge, unpacked_bodies& packed) {
  auto where = conditions_of(agent, range, edge);
  auto statement =
    std::string{"SELECT sequence, observation_id, type, status, source, owner, "
                "turn_id, created_ms, left_ms, "}
    + (range.without_bodies ? "'', checksum, 0" : "body, checksum, pack") + " FROM archive WHERE "
    + where.sql() + " ORDER BY sequence" + (range.oldest_first ? "" : " DESC") + " LIMIT "
    + std::to_string(range.without_bodies ? bare_rows_at_once : observations_at_once);
  std::vector<archive_row> rows;
  std::vector<uint64_t> packs;
  db.run(statement, where.arguments(), [&](const row& x) {
    rows.push_back(archive_row_of(x));
    packs.push_back(number_at(x, 11));
  });
  packed.begin_part();
  for (size_t i = 0; i < rows.size(); ++i)
    if (packs[i] != 0)
      rows[i].body = packed.body(db, packs[i], rows[i].sequence);
  return rows;
}

uint64_t pack_archive(connection& db, uint64_t agent, timestamp left_before, uint64_t most) {
  std::vector<std::pair<uint64_t, std::string>> rows;
  select(
    db,
    "SELECT sequence, body FROM archive WHERE agent = $1 AND pack = 0 AND left_ms < $2 "
    "ORDER BY left_ms, sequence LIMIT $3",
    [&](const row& x) { rows.emplace_back(number_at(x, 0), x.text(1)); }, stored(agent),
    stored(left_before), stored(most));
  if (rows.empty())
    return 0;
  const std::string none;
  auto to = begin_pack(db, agent);
  for (auto& [sequence, body] : rows) {
    if (to.is_full()) {
      write_pack(db, agent, to.number, to.bodies);
      to = {to.number + 1, {}, 0};
    }
    run(db, "UPDATE archive SET body = $1, pack = $2 WHERE agent = $3 AND sequence = $4", &none,
      stored(to.number), stored(agent), stored(sequence));
    to.bytes += body.size();
    to.bodies.emplace(sequence, std::move(body));
  }
  write_pack(db, agent, to.number, to.bodies);
  return rows.size();
}

void remove_archived(connection& db, uint64_t agent, std::span<const uint64_t> sequences) {
  std::set<uint64_t> packs;
  uint64_t sum = 0;
  for (auto sequence : sequences) {
    select(
      db,
      "SELECT sequence, observation_id, type, status, source, owner, turn_id, created_ms, "
      "left_ms, '', checksum, pack FROM archive WHERE agent = $1 AND sequence = $2",
      [&](const row& x) {
        sum ^= sum_of(archive_row_of(x));
        packs.insert(number_at(x, 11));
      },
      stored(agent), stored(sequence));
    run(db, "DELETE FROM archive WHERE agent = $1 AND sequence = $2", stored(agent),
      stored(sequence));
  }
  change_sum(db, agent, sum);
  packs.erase(0);
  for (auto number : packs)
    shrink_pack(db, agent, number);
}

void cut_archive(connection& db, uint64_t agent, uint64_t after) {
  std::set<uint64_t> packs;
  uint64_t sum = 0;
  select(
    db,
    "SELECT sequence, observation_id, type, status, source, owner, turn_id, created_ms, left_ms, "
    "'', checksum, pack FROM archive WHERE agent = $1 AND sequence > $2",
    [&](const row& x) {
      sum ^= sum_of(archive_row_of(x));
      packs.insert(number_at(x, 11));
    },
    stored(agent), stored(after));
  change_sum(db, agent, sum);
  run(db, "DELETE FROM archive WHERE agent = $1 AND sequence > $2", stored(agent), stored(after));
  packs.erase(0);
  for (auto number : packs)
    shrink_pack(db, agent, number);
}

} // namespace scratchpage::sql
