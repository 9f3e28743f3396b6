#include "scratchpage/persistence/store/sql_journal.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/postgres_array.hpp"
#include "scratchpage/persistence/store/sql_tables.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage::sql {

namespace {

/// Groups that are read at once, so that others are served in between.
constexpr int64_t groups_read_at_once = 16;

// -- agents -----------------------------------------------------------------------------

/// An expression for the key of a new agent in a database with several writers: 63 random bits,
/// since all writers would wait for each other to find the next number. Two agents hardly ever draw
/// the same one; the second is refused with `duplicate_key` and draws again.
std::string random_key(connection& db) {
  return "GREATEST(1, " + db.random_number() + " & " + std::to_string(INT64_MAX) + ")";
}

std::string claim_statement(connection& db) {
  auto is_sqlite = db.dialect() == dialect::sqlite;
  auto chance = db.random_number();
  // In SQLite keys count from 1. The one writer waits for nobody, the mark has a place for each key
  // (commit_mark.hpp), and the rows of new agents fill the pages at the end of each index. "WHERE
  // true" separates the SELECT from ON CONFLICT for its parser.
  return "INSERT INTO agent (agent, agent_id, epoch, last_sequence, commit_count, claim_high, "
         "claim_low) SELECT "
         + (is_sqlite ? "COALESCE(MAX(agent), 0) + 1" : random_key(db)) + ", $1, 1, 0, 1, " + chance
         + ", " + chance + (is_sqlite ? " FROM agent WHERE true" : "")
         + " ON CONFLICT (agent_id) DO UPDATE SET epoch = agent.epoch + 1, "
           "commit_count = agent.commit_count + 1, claim_high = excluded.claim_high, "
           "claim_low = excluded.claim_low "
           "RETURNING agent, epoch, claim_high, claim_low, commit_count, last_sequence";
}

// -- journals ---------------------------------------------------------------------------

void set_end(transaction& in, uint64_t agent, uint64_t last) {
  run(in.db, "UPDATE agent SET last_sequence = $1 WHERE agent = $2", stored(last), stored(agent));
  in.ends.back().last_sequence = last;
}

/// Where a journal would end if it were cut after `after`: there, or at the end of the group that
/// goes beyond it.
uint64_t end_of_cut(connection& db, uint64_t agent, uint64_t after) {
  auto last = std::min(after, end_of(db, agent));
  select(
    db,
    "SELECT last_sequence FROM journal WHERE agent = $1 AND first_sequence <= $2 "
    "ORDER BY first_sequence DESC LIMIT 1",
    [&](const row& x) { last = std::max(last, number_at(x, 0)); }, stored(agent), stored(after));
  return last;
}

/// Whether the journal ended at `x.after` and `x.by` is the owner; then it ends with the group of
/// `x`.
bool move_end(transaction& in, const journal_append& x) {
  if (x.group.first != x.after + 1)
    return false;
  auto is_moved = false;
  select(
    in.db,
    "UPDATE agent SET last_sequence = $1, commit_count = commit_count + 1 WHERE agent = $2 "
    "AND epoch = $3 AND claim_high = $4 AND claim_low = $5 AND last_sequence = $6 "
    "RETURNING commit_count",
    [&](const row& found) {
      is_moved = true;
      in.ends.push_back({x.by.agent, number_at(found, 0), x.group.last});
    },
    stored(x.group.last), stored(x.by.agent), stored(x.by.epoch), stored_bits(x.by.claim.high),
    stored_bits(x.by.claim.low), stored(x.after));
  return is_moved;
}

/// Removes what the journal has after `x.after`, so that the group can be appended. It looks first
/// whether it can.
caf::error replace_end(transaction& in, const journal_append& x) {
  if (!owns(in, x.by))
    return not_the_owner(x.by.epoch);
  auto last = end_of(in.db, x.by.agent);
  if (x.after < last)
    last = end_of_cut(in.db, x.by.agent, x.after);
  if (last != x.after || x.group.first != x.after + 1)
    return not_the_next(x.group.first, last);
  cut_journal(in, x.by.agent, x.after);
  set_end(in, x.by.agent, x.group.last);
  return {};
}

void add_group(connection& db, uint64_t agent, const journal_group& x) {
  run(db,
    "INSERT INTO journal (agent, first_sequence, last_sequence, at_ms, events, checksum) "
    "VALUES ($1, $2, $3, $4, $5, $6)",
    stored(agent), stored(x.first), stored(x.last), stored(x.at), &x.events,
    stored_bits(x.checksum));
}

// -- all groups in one statement ----------------------------------------------------------

/// Locks the rows of the agents in the order of their keys, as everybody does, so that there is no
/// deadlock; then moves the ends of those that are as expected, and adds rows for these only.
constexpr auto append_all = R"(
  WITH x AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
      $6::bigint[], $7::bigint[], $8::text[], $9::bigint[], $10::bigint[])
    AS t (agent, epoch, claim_high, claim_low, after, last, at_ms, events, checksum, archived)
  ), mine AS (
    SELECT a.agent FROM agent a JOIN x USING (agent) ORDER BY a.agent FOR UPDATE OF a
  ), moved AS (
    UPDATE agent a SET last_sequence = x.last, commit_count = a.commit_count + 1,
      archive_sum = (a.archive_sum | x.archived) - (a.archive_sum & x.archived)
    FROM x JOIN mine USING (agent)
    WHERE a.agent = x.agent AND a.epoch = x.epoch AND a.claim_high = x.claim_high
      AND a.claim_low = x.claim_low AND a.last_sequence = x.after
    RETURNING a.agent
  ), added AS (
    INSERT INTO journal (agent, first_sequence, last_sequence, at_ms, events, checksum)
    SELECT x.agent, x.after + 1, x.last, x.at_ms, x.events, x.checksum
    FROM x JOIN moved USING (agent)
  ), left_page AS (
    INSERT INTO archive (agent, sequence, observation_id, type, status, source, owner, turn_id,
      created_ms, left_ms, body, checksum)
    SELECT r.* FROM unnest($11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::text[],
      $16::text[], $17::text[], $18::text[], $19::bigint[], $20::bigint[], $21::text[],
      $22::bigint[])
    AS r (agent, sequence, observation_id, type, status, source, owner, turn_id, created_ms,
      left_ms, body, checksum)
    JOIN moved USING (agent)
  )
  SELECT agent FROM moved)";

/// The arguments of `append_all`, by columns.
class append_columns {
public:
  void add(const journal_append& x) {
    uint64_t sum = 0;
    for (const auto& row : x.archived) {
      add(x.by.agent, row);
      sum ^= sum_of(row);
    }
    put(0, stored(x.by.agent), stored(x.by.epoch), stored_bits(x.by.claim.high),
      stored_bits(x.by.claim.low), stored(x.after), stored(x.group.last), stored(x.group.at),
      x.group.events, stored_bits(x.group.checksum), stored_bits(sum));
  }

  std::array<argument, 22> arguments() {
    std::array<argument, 22> result;
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = &columns_[i].end();
    return result;
  }

private:
  void add(uint64_t agent, const archive_row& x) {
    put(10, stored(agent), stored(x.sequence), x.observation_id, x.type, x.status, x.source,
      x.owner, x.turn_id, stored(x.created_at), stored(x.left_at), x.body, stored_bits(x.checksum));
  }

  template <class... Ts>
  void put(size_t column, const Ts&... xs) {
    (columns_[column++].add(xs), ...);
  }

  std::array<postgres_array, 22> columns_;
};

} // namespace

ownership claim(transaction& in, const std::string& agent_id) {
  ownership result;
  select(
    in.db, claim_statement(in.db).c_str(),
    [&](const row& x) {
      result = {number_at(x, 0), number_at(x, 1), {number_at(x, 2), number_at(x, 3)}};
      in.ends.push_back({result.agent, number_at(x, 4), number_at(x, 5), agent_id});
    },
    &agent_id);
  return result;
}

bool owns(transaction& in, const ownership& by) {
  auto is_owner = false;
  select(
    in.db,
    "UPDATE agent SET commit_count = commit_count + 1 WHERE agent = $1 AND epoch = $2 "
    "AND claim_high = $3 AND claim_low = $4 RETURNING commit_count, last_sequence",
    [&](const row& x) {
      is_owner = true;
      in.ends.push_back({by.agent, number_at(x, 0), number_at(x, 1)});
    },
    stored(by.agent), stored(by.epoch), stored_bits(by.claim.high), stored_bits(by.claim.low));
  return is_owner;
}

void check(transaction& in, const ownership& by) {
  if (!owns(in, by))
    throw refused{not_the_owner(by.epoch)};
}

std::vector<bool> held(connection& db, std::span<const ownership> xs) {
  std::array<postgres_array, 5> columns; // the place in `xs`, and the claim
  for (size_t i = 0; i < xs.size(); ++i) {
    const auto& x = xs[i];
    std::array values{static_cast<int64_t>(i), stored(x.agent), stored(x.epoch),
      stored_bits(x.claim.high), stored_bits(x.claim.low)};
    for (size_t n = 0; n < values.size(); ++n)
      columns[n].add(values[n]);
  }
  std::vector<bool> result(xs.size());
  select(
    db,
    "SELECT x.place FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], "
    "$5::bigint[]) AS x (place, agent, epoch, claim_high, claim_low) JOIN agent a ON a.agent = "
    "x.agent AND a.epoch = x.epoch AND a.claim_high = x.claim_high AND a.claim_low = x.claim_low",
    [&](const row& x) { result[number_at(x, 0)] = true; }, &columns[0].end(), &columns[1].end(),
    &columns[2].end(), &columns[3].end(), &columns[4].end());
  return result;
}

std::vector<std::string> agents_after(connection& db, const std::string& after, uint64_t most) {
  // The order of texts depends on the database unless it is told. SQLite's is bytewise.
  const auto* statement =
    db.dialect() == dialect::postgres
      ? "SELECT agent_id FROM agent WHERE agent_id COLLATE \"C\" > $1 "
        "ORDER BY agent_id COLLATE \"C\" LIMIT $2"
      : "SELECT agent_id FROM agent WHERE agent_id > $1 ORDER BY agent_id LIMIT $2";
  std::vector<std::string> result;
  select(
    db, statement, [&](const row& x) { result.push_back(x.text(0)); }, &after, stored(most));
  return result;
}

void index_agents(connection& db) {
  if (db.dialect() != dialect::postgres)
    return; // SQLite has an index in that order, because ids are unique
  auto is_there = false;
  select(db, "SELECT 1 WHERE to_regclass('agent_in_order') IS NOT NULL",
    [&](const row&) { is_there = true; });
  if (!is_there) // otherwise the statement would wait for all writers
    db.script("CREATE INDEX agent_in_order ON agent (agent_id COLLATE \"C\")");
}

caf::error append(transaction& in, const journal_append& x) {
  if (!move_end(in, x))
    if (auto err = replace_end(in, x))
      return err;
  add_group(in.db, x.by.agent, x.group);
  add_archived(in.db, x.by.agent, x.archived);
  return {};
}

std::vector<bool> append_at_once(connection& db, std::span<const journal_append> xs) {
  append_columns columns;
  std::map<uint64_t, size_t> places; // in `xs`, by agent
  for (size_t i = 0; i < xs.size(); ++i) {
    auto is_next = xs[i].group.first == xs[i].after + 1;
    if (is_next && places.emplace(xs[i].by.agent, i).second)
      columns.add(xs[i]);
  }
  std::vector<bool> moved(xs.size());
  auto arguments = columns.arguments();
  db.run(append_all, arguments, [&](const row& x) { moved[places.at(number_at(x, 0))] = true; });
  return moved;
}

std::vector<journal_group> journal_reading::next(connection& db) {
  std::vector<journal_group> groups;
  auto take = [&](const row& x) {
    groups.push_back({number_at(x, 0), number_at(x, 1), time_at(x, 2), x.text(3), number_at(x, 4)});
  };
  // A group may begin before `after` and end after it. Groups do not overlap.
  if (!has_begun_)
    select(db,
      "SELECT * FROM (SELECT first_sequence, last_sequence, at_ms, events, checksum "
      "FROM journal WHERE agent = $1 AND first_sequence <= $2 "
      "ORDER BY first_sequence DESC LIMIT 1) AS nearest WHERE last_sequence > $2",
      take, stored(agent_), stored(after_));
  select(db,
    "SELECT first_sequence, last_sequence, at_ms, events, checksum FROM journal "
    "WHERE agent = $1 AND first_sequence > $2 ORDER BY first_sequence LIMIT $3",
    take, stored(agent_), stored(after_), groups_read_at_once);
  has_begun_ = true;
  if (!groups.empty())
    after_ = groups.back().first;
  return groups;
}

void cut_journal(transaction& in, uint64_t agent, uint64_t after) {
  auto last = end_of_cut(in.db, agent, after);
  run(in.db, "DELETE FROM journal WHERE agent = $1 AND first_sequence > $2", stored(agent),
    stored(after));
  cut_archive(in.db, agent, last);
  set_end(in, agent, last);
}

void forget_journal(transaction& in, uint64_t agent, uint64_t until) {
  run(in.db,
    "DELETE FROM journal WHERE agent = $1 AND first_sequence <= $2 AND last_sequence <= $2",
    stored(agent), stored(until));
}

void rewrite_journal(transaction& in, uint64_t agent, std::span<const journal_group> xs) {
  for (const auto& x : xs)
    run(in.db,
      "UPDATE journal SET at_ms = $1, events = $2, checksum = $3 "
      "WHERE agent = $4 AND first_sequence = $5 AND last_sequence = $6",
      stored(x.at), &x.events, stored_bits(x.checksum), stored(agent), stored(x.first),
      stored(x.last));
}

void begin_journal(transaction& in, uint64_t agent, uint64_t after) {
  if (auto last = end_of(in.db, agent); last != 0)
    throw refused{has_begun(last)};
  set_end(in, agent, after);
}

} // namespace scratchpage::sql
