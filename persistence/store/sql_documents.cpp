#include "scratchpage/persistence/store/sql_documents.hpp"

#include <algorithm>

#include "scratchpage/persistence/store/sql_statements.hpp"

namespace scratchpage::sql {

namespace {

/// Rows that are read before others get their turn.
constexpr size_t documents_at_once = 16;

/// Of the document that `x` takes the place of.
void forget_terms(connection& db, int64_t agent, const document& x) {
  int64_t place = 0;
  select(
    db, "SELECT place FROM document WHERE agent = $1 AND collection = $2 AND name = $3",
    [&](const row& found) { place = found.integer(0); }, agent, &x.collection, &x.key);
  if (place > 0)
    run(db, "DELETE FROM document_term WHERE agent = $1 AND place = $2", agent, place);
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

} // namespace

void put_document(connection& db, uint64_t agent, const document& x) {
  auto key = stored(agent);
  forget_terms(db, key, x);
  if (x.body.empty())
    run(db, "DELETE FROM document WHERE agent = $1 AND collection = $2 AND name = $3", key,
      &x.collection, &x.key);
  else
    insert_document(db, key, x);
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
  auto take = [&](const row& x) {
    found.push_back({collection, names[next], x.text(0), number_at(x, 1)});
  };
  for (; next < names.size() && found.size() < documents_at_once; ++next)
    select(db,
      "SELECT body, checksum FROM document WHERE agent = $1 AND collection = $2 AND name = $3",
      take, stored(agent), &collection, &names[next]);
  return found;
}

std::vector<document> find_some_documents(connection& db, uint64_t agent,
  const std::string& collection, const document_range& range, document_place& before) {
  conditions where;
  auto key = stored(agent);
  where.add("agent = ", key);
  where.add("collection = ", &collection);
  where.add("place > ", int64_t{0});
  where.add("at_ms <= ", before.at);
  where.add("(at_ms < ", before.at);
  where.append(" OR place < ", before.place);
  where.append(")");
  if (!range.key.empty())
    where.add("name = ", &range.key);
  if (range.after)
    where.add("at_ms > ", stored(*range.after));
  if (range.before)
    where.add("at_ms < ", stored(*range.before));
  for (const auto& term : range.terms) {
    where.add("place IN (SELECT place FROM document_term WHERE agent = ", key);
    where.append(" AND term = ", &term);
    where.append(")");
  }
  auto statement = "SELECT name, body, checksum, at_ms, place FROM document WHERE " + where.sql()
                   + " ORDER BY at_ms DESC, place DESC LIMIT " + std::to_string(documents_at_once);
  std::vector<document> found;
  db.run(statement, where.arguments(), [&](const row& x) {
    found.push_back({collection, x.text(0), x.text(1), number_at(x, 2)});
    before = {x.integer(3), x.integer(4)};
  });
  return found;
}

std::vector<std::string> collections_of(connection& db, uint64_t agent) {
  std::vector<std::string> result;
  select(
    db, "SELECT DISTINCT collection FROM document WHERE agent = $1",
    [&](const row& x) { result.push_back(x.text(0)); }, stored(agent));
  std::sort(result.begin(), result.end()); // as above
  return result;
}

} // namespace scratchpage::sql
