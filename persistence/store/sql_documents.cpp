#include "scratchpage/persistence/store/sql_documents.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "scratchpage/persistence/store/row_sums.hpp"
#include "scratchpage/persistence/store/sql_statements.hpp"

namespace scratchpage::sql {

namespace {

/// Documents that are read before others get their turn: one that is large is the last of them.
constexpr size_t documents_at_once = 16;
constexpr size_t bytes_at_once = size_t{1} << 20;

/// Places of documents, without their bodies, that are looked up together.
constexpr size_t places_at_once = 32;

/// Those of the document that `x` takes the place of. Gives what it added to the sum; nothing,
/// if there is none.
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

/// Adds without carry. Neither database has an operator for it that the other has.
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

/// Gives by what the sum of the collection changes.
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

/// A document of any agent.
struct document_key {
  int64_t agent = INT64_MIN;
  std::string collection;
  std::string name;
};

using sums_of_collections = std::map<std::pair<int64_t, std::string>, uint64_t>;

/// Adds some of the documents behind `after`, which moves to the last of them. Gives how many
/// there were.
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
  std::sort(names.begin(), names.end()); // databases sort texts as they are set up
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

/// Those below the last one that was found; false: there are none.
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

std::vector<std::string> collections_of(connection& db, uint64_t agent) {
  std::vector<std::string> result;
  // One that has lost all it had is there as well: whoever reads it is told.
  select(
    db,
    "SELECT collection FROM document WHERE agent = $1 UNION "
    "SELECT collection FROM document_sum WHERE agent = $1 AND row_sum <> 0",
    [&](const row& x) { result.push_back(x.text(0)); }, stored(agent));
  std::sort(result.begin(), result.end()); // as above
  return result;
}

} // namespace scratchpage::sql
