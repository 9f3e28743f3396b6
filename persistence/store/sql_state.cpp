#include "scratchpage/persistence/store/sql_tables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage::sql {

namespace {

/// Rows that are read at once, so that others are served in between.
constexpr int64_t rows_of_documents = 64; // each may have half a megabyte

snapshot_head head_of(const row& x, int first) {
  return {number_at(x, first), number_at(x, first + 1), number_at(x, first + 2),
    number_at(x, first + 3), time_at(x, first + 4), number_at(x, first + 5)};
}

/// The stored sum of the rows of a snapshot.
uint64_t rows_of(connection& db, int64_t agent, int64_t kind) {
  uint64_t result = 0;
  select(
    db, "SELECT row_sum FROM snapshot WHERE agent = $1 AND kind = $2",
    [&](const row& x) { result = number_at(x, 0); }, agent, kind);
  return result;
}

/// Removes a row and returns what it added to the sum; 0 if there is no such row.
uint64_t remove_row(connection& db, int64_t agent, int64_t kind, uint64_t number) {
  uint64_t result = 0;
  select(
    db,
    "DELETE FROM snapshot_row WHERE agent = $1 AND kind = $2 AND number = $3 RETURNING checksum",
    [&](const row& x) { result = sum_of(number, number_at(x, 0)); }, agent, kind, stored(number));
  return result;
}

/// Adds a row unless there is one of that number. Returns whether it was added.
bool add_row(connection& db, int64_t agent, int64_t kind, const snapshot_row& x) {
  auto added = run(db,
    "INSERT INTO snapshot_row (agent, kind, number, event, checksum) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT (agent, kind, number) DO NOTHING",
    agent, kind, stored(x.number), &x.event, stored_bits(x.checksum));
  return added > 0;
}

/// Writes or removes a row and returns the change of the sum. Most rows are of new observations and
/// need only one statement.
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

/// Adds some of the rows with numbers above `after` to the sum, and moves `after` to the last of
/// them. Returns their number.
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

/// Documents that are read at once, so that others are served in between. Reading stops after a
/// large one.
constexpr size_t documents_at_once = 16;
constexpr size_t bytes_at_once = size_t{1} << 20;

/// Places of documents, without bodies, that are read at once.
constexpr size_t places_at_once = 32;

/// Deletes the index terms of the document that `x` replaces. Returns what that document added to
/// the sum; 0 if there is none.
uint64_t forget_terms(connection& db, int64_t agent, const document& x) {
  int64_t place = 0;
  uint64_t sum = 0;
  select(
    db, "SELECT place, checksum FROM document WHERE agent = $1 AND collection = $2 AND name = $3",
    [&](const row& found) {
      place = found.integer(0);
      sum = sum_of(x.key, number_at(found, 1));
    },
    agent, &x.collection, &x.key);
  if (place > 0)
    run(db, "DELETE FROM document_term WHERE agent = $1 AND place = $2", agent, place);
  return sum;
}

/// Changes the sum by XOR. It is written with other operators, because SQLite has no XOR and
/// PostgreSQL's differs.
void change_sum(connection& db, int64_t agent, const std::string& collection, uint64_t by) {
  run(db,
    "INSERT INTO document_sum (agent, collection, row_sum) VALUES ($1, $2, $3) "
    "ON CONFLICT (agent, collection) DO UPDATE SET row_sum = "
    "(document_sum.row_sum | excluded.row_sum) - (document_sum.row_sum & excluded.row_sum)",
    agent, &collection, stored_bits(by));
}

int64_t next_place(connection& db, int64_t agent) {
  int64_t place = 0;
  select(
    db,
    "INSERT INTO document_place (agent, last_place) VALUES ($1, 1) "
    "ON CONFLICT (agent) DO UPDATE SET last_place = document_place.last_place + 1 "
    "RETURNING last_place",
    [&](const row& x) { place = x.integer(0); }, agent);
  return place;
}

void insert_document(connection& db, int64_t agent, const document& x) {
  auto place = x.index ? next_place(db, agent) : 0;
  auto at = x.index ? stored(x.index->at) : 0;
  run(db,
    "INSERT INTO document (agent, collection, name, body, checksum, at_ms, place) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (agent, collection, name) DO UPDATE SET "
    "body = excluded.body, checksum = excluded.checksum, at_ms = excluded.at_ms, "
    "place = excluded.place",
    agent, &x.collection, &x.key, &x.body, stored_bits(x.checksum), at, place);
  if (x.index)
    for (const auto& term : x.index->terms)
      run(db, "INSERT INTO document_term (agent, term, place) VALUES ($1, $2, $3)", agent, &term,
        place);
}

/// Writes or removes a document and returns the change (by XOR) of the sum of its collection.
uint64_t put_document(connection& db, int64_t key, const document& x) {
  auto before = forget_terms(db, key, x);
  if (x.body.empty()) {
    run(db, "DELETE FROM document WHERE agent = $1 AND collection = $2 AND name = $3", key,
      &x.collection, &x.key);
    return before;
  }
  insert_document(db, key, x);
  return before ^ sum_of(x.key, x.checksum);
}

/// The key of a document.
struct document_key {
  int64_t agent = INT64_MIN;
  std::string collection;
  std::string name;
};

using sums_of_collections = std::map<std::pair<int64_t, std::string>, uint64_t>;

/// Adds some of the documents after `after` to the sums, and moves `after` to the last of them.
/// Returns their number.
int64_t sum_some(connection& db, document_key& after, sums_of_collections& sums) {
  int64_t found = 0;
  auto from = after;
  select(
    db,
    "SELECT agent, collection, name, checksum FROM document "
    "WHERE (agent, collection, name) > ($1, $2, $3) ORDER BY agent, collection, name LIMIT $4",
    [&](const row& x) {
      ++found;
      after = {x.integer(0), x.text(1), x.text(2)};
      sums[{after.agent, after.collection}] ^= sum_of(after.name, number_at(x, 3));
    },
    from.agent, &from.collection, &from.name, sealed_at_once);
  return found;
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
    stored(agent), static_cast<int64_t>(kind), after, rows_of_documents);
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

void put_documents(connection& db, uint64_t agent, std::span<const document> xs) {
  auto key = stored(agent);
  std::map<std::string, uint64_t> sums; // by collection
  for (const auto& x : xs)
    sums[x.collection] ^= put_document(db, key, x);
  for (const auto& [collection, sum] : sums)
    if (sum != 0)
      change_sum(db, key, collection, sum);
}

uint64_t sum_of_documents(connection& db, uint64_t agent, const std::string& collection) {
  uint64_t result = 0;
  select(
    db, "SELECT row_sum FROM document_sum WHERE agent = $1 AND collection = $2",
    [&](const row& x) { result = number_at(x, 0); }, stored(agent), &collection);
  return result;
}

void seal_documents(connection& db) {
  sums_of_collections sums;
  document_key after;
  while (sum_some(db, after, sums) > 0)
    continue;
  for (const auto& [of, sum] : sums)
    change_sum(db, of.first, of.second, sum);
}

std::vector<std::string> document_names(
  connection& db, uint64_t agent, const std::string& collection) {
  std::vector<std::string> names;
  select(
    db, "SELECT name FROM document WHERE agent = $1 AND collection = $2",
    [&](const row& x) { names.push_back(x.text(0)); }, stored(agent), &collection);
  std::sort(names.begin(), names.end()); // the order of texts in SQL depends on the database
  return names;
}

std::vector<document> read_some_documents(connection& db, uint64_t agent,
  const std::string& collection, const std::vector<std::string>& names, size_t& next) {
  std::vector<document> found;
  size_t bytes = 0;
  for (; next < names.size() && found.size() < documents_at_once && bytes < bytes_at_once; ++next)
    if (auto x = read_document(db, agent, collection, names[next])) {
      bytes += x->body.size();
      found.push_back(std::move(*x));
    }
  return found;
}

std::optional<document> read_document(
  connection& db, uint64_t agent, const std::string& collection, const std::string& name) {
  std::optional<document> result;
  select(
    db, "SELECT body, checksum FROM document WHERE agent = $1 AND collection = $2 AND name = $3",
    [&](const row& x) {
      result = document{collection, name, x.text(0), number_at(x, 1)};
    },
    stored(agent), &collection, &name);
  return result;
}

std::optional<document> document_search::next(connection& db) {
  while (next_ < places_.size() || find_places(db)) {
    const auto& name = places_[next_++].name;
    if (range_.without_bodies)
      return document{collection_, name, {}, 0};
    if (auto x = read_document(db, agent_, collection_, name))
      return x;
  }
  return std::nullopt;
}

/// Reads the next places, below the last one that was found. False if there are none.
bool document_search::find_places(connection& db) {
  conditions where;
  auto key = stored(agent_);
  where.add("agent = ", key);
  where.add("collection = ", &collection_);
  where.add("place > ", int64_t{0});
  where.add("at_ms <= ", before_.at);
  where.add("(at_ms < ", before_.at);
  where.append(" OR place < ", before_.place);
  where.append(")");
  if (!range_.key.empty())
    where.add("name = ", &range_.key);
  if (range_.after)
    where.add("at_ms > ", stored(*range_.after));
  if (range_.before)
    where.add("at_ms < ", stored(*range_.before));
  for (const auto& term : range_.terms) {
    where.add("place IN (SELECT place FROM document_term WHERE agent = ", key);
    where.append(" AND term = ", &term);
    where.append(")");
  }
  auto statement = "SELECT at_ms, place, name FROM document WHERE " + where.sql()
                   + " ORDER BY at_ms DESC, place DESC LIMIT " + std::to_string(places_at_once);
  places_.clear();
  next_ = 0;
  db.run(statement, where.arguments(), [&](const row& x) {
    places_.push_back({x.integer(0), x.integer(1), x.text(2)});
  });
  if (places_.empty())
    return false;
  before_ = places_.back();
  return true;
}

std::vector<std::string> agents_with(connection& db, const std::string& collection) {
  std::vector<std::string> result;
  // The table has a row for each agent and collection, and documents have no index by collection.
  select(
    db,
    "SELECT agent_id FROM agent WHERE agent IN "
    "(SELECT agent FROM document_sum WHERE collection = $1 AND row_sum <> 0)",
    [&](const row& x) { result.push_back(x.text(0)); }, &collection);
  return result;
}

std::vector<std::string> collections_of(connection& db, uint64_t agent) {
  std::vector<std::string> result;
  // A collection that has lost all its documents is listed, too, so that its reader gets an error.
  select(
    db,
    "SELECT collection FROM document WHERE agent = $1 UNION "
    "SELECT collection FROM document_sum WHERE agent = $1 AND row_sum <> 0",
    [&](const row& x) { result.push_back(x.text(0)); }, stored(agent));
  std::sort(result.begin(), result.end()); // as above
  return result;
}

} // namespace scratchpage::sql
