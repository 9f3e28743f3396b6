#include "scratchpage/persistence/store/sql_store.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/consistent_connection.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/sql_tables.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

using sql::connection;
using sql::in_transaction;
using sql::number_at;
using sql::row;
using sql::run;
using sql::select;
using sql::stored;
using sql::stored_bits;
using sql::time_at;

/// Groups that are read at once, so that others are served in between.
constexpr int64_t groups_read_at_once = 16;

/// Thrown to roll back; `why` becomes the answer.
struct refused {
  caf::error why;
};

/// Removes the groups that begin after `after` and returns the end of the others.
uint64_t cut_groups(connection& db, uint64_t agent, uint64_t after) {
  auto last = std::min(after, sql::end_of(db, agent));
  select(
    db,
    "SELECT last_sequence FROM journal WHERE agent = $1 AND first_sequence <= $2 "
    "ORDER BY first_sequence DESC LIMIT 1",
    [&](const row& x) { last = std::max(last, number_at(x, 0)); }, stored(agent), stored(after));
  run(db, "DELETE FROM journal WHERE agent = $1 AND first_sequence > $2", stored(agent),
    stored(after));
  return last;
}

void add_group(connection& db, uint64_t agent, const journal_group& x) {
  run(db,
    "INSERT INTO journal (agent, first_sequence, last_sequence, at_ms, events, checksum) "
    "VALUES ($1, $2, $3, $4, $5, $6)",
    stored(agent), stored(x.first), stored(x.last), stored(x.at), &x.events,
    stored_bits(x.checksum));
}

} // namespace

sql_store::sql_store(sql::connector connect, std::shared_ptr<commit_mark> mark)
  : connect_{std::move(connect)},
    mark_{std::move(mark)} {}

caf::expected<std::unique_ptr<sql_store>> sql_store::open(
  sql::connector connect, std::shared_ptr<commit_mark> mark) {
  std::unique_ptr<sql_store> result{new sql_store{std::move(connect), std::move(mark)}};
  auto begin = [&](connection& db) {
    if (result->mark_)
      if (auto err = sql::check_mark(db, *result->mark_))
        throw refused{err};
    sql::bring_up_to(db);
    if (result->mark_)
      result->mark_->begin(sql::committed_ends(db));
  };
  if (auto err = result->use(result->writer_, begin))
    return err;
  return result;
}

caf::expected<std::unique_ptr<sql_store>> sql_store::open_consistent(sql::connector connect) {
  std::unique_ptr<sql_store> result{new sql_store{sql::consistent(std::move(connect)), {}}};
  if (auto err = result->use(result->reader_, [](connection&) {}))
    return err;
  return result;
}

/// Calls `f` with the connection. An exception of `f` becomes the error.
template <class F>
caf::error sql_store::use(line& by, F f) {
  std::lock_guard lock{by.mutex};
  try {
    if (!by.db || !by.db->is_alive()) {
      by.db.reset(); // the old one is closed first
      by.db = connect_();
    }
    f(*by.db);
    return {};
  } catch (const refused& x) {
    return x.why;
  } catch (const sql::unkeepable& x) {
    return fail(errc::invalid_request, "", x.what());
  } catch (const std::exception& x) {
    return fail(errc::storage_unavailable, "", x.what());
  }
}

/// Calls `f` in a transaction that writes. `exclusive` is as in `connection::begin`.
template <class F>
caf::error sql_store::change(F f, bool exclusive) {
  return use(writer_, [&](connection& db) {
    changed_.clear();
    in_transaction(
      db, [&] { db.begin(exclusive); }, [&] { f(db); });
    if (mark_)
      for (const auto& x : changed_)
        mark_->note(x);
  });
}

/// Throws unless `by` is the owner. Until the transaction ends nobody else can claim the agent.
void sql_store::check(connection& db, const ownership& by) {
  auto is_owner = false;
  select(
    db,
    "UPDATE agent SET commit_count = commit_count + 1 WHERE agent = $1 AND epoch = $2 "
    "AND claim_high = $3 AND claim_low = $4 RETURNING commit_count, last_sequence",
    [&](const row& x) {
      is_owner = true;
      changed_.push_back({by.agent, number_at(x, 0), number_at(x, 1)});
    },
    stored(by.agent), stored(by.epoch), stored_bits(by.claim.high), stored_bits(by.claim.low));
  if (!is_owner)
    throw refused{not_the_owner(by.epoch)};
}

void sql_store::set_end(connection& db, uint64_t agent, uint64_t last) {
  run(db, "UPDATE agent SET last_sequence = $1 WHERE agent = $2", stored(last), stored(agent));
  changed_.back().last_sequence = last;
}

/// As `cut_groups`, and removes what these groups archived.
uint64_t sql_store::cut(connection& db, uint64_t agent, uint64_t after) {
  auto last = cut_groups(db, agent, after);
  sql::cut_archive(db, agent, last);
  set_end(db, agent, last);
  return last;
}

/// Moves the end of the journal from `after` to the end of the group. False if the journal does not
/// end at `after` or `by` is not the owner.
bool sql_store::move_end(connection& db, const journal_append& x) {
  if (x.group.first != x.after + 1)
    return false;
  auto is_moved = false;
  select(
    db,
    "UPDATE agent SET last_sequence = $1, commit_count = commit_count + 1 WHERE agent = $2 "
    "AND epoch = $3 AND claim_high = $4 AND claim_low = $5 AND last_sequence = $6 "
    "RETURNING commit_count",
    [&](const row& found) {
      is_moved = true;
      changed_.push_back({x.by.agent, number_at(found, 0), x.group.last});
    },
    stored(x.group.last), stored(x.by.agent), stored(x.by.epoch), stored_bits(x.by.claim.high),
    stored_bits(x.by.claim.low), stored(x.after));
  return is_moved;
}

/// Removes what the journal has after `after`, so that the group can be appended.
void sql_store::replace_end(connection& db, const journal_append& x) {
  check(db, x.by);
  auto last = sql::end_of(db, x.by.agent);
  if (x.after < last)
    last = cut(db, x.by.agent, x.after);
  if (last != x.after || x.group.first != x.after + 1)
    throw refused{not_the_next(x.group.first, last)};
  set_end(db, x.by.agent, x.group.last);
}

/// Calls `read_some(db)`, which reads a part, until a part is empty or `f` returns false. Others
/// are served in between.
template <class T, class Read>
caf::error sql_store::read_all(Read read_some, const visitor<T>& f) {
  while (true) {
    std::vector<T> part;
    if (auto err = use(reader_, [&](connection& db) { part = read_some(db); }))
      return err;
    if (part.empty())
      return {};
    for (auto& x : part)
      if (!f(std::move(x)))
        return {};
  }
}

// -- agents -----------------------------------------------------------------------------

caf::expected<ownership> sql_store::claim(const std::string& agent_id) {
  ownership result;
  auto claim_it = [&](connection& db) {
    auto chance = db.random_number();
    auto statement =
      "INSERT INTO agent (agent, agent_id, epoch, last_sequence, commit_count, claim_high, "
      "claim_low) "
      "SELECT COALESCE(MAX(agent), 0) + 1, $1, 1, 0, 1, "
      + chance + ", " + chance
      + " FROM agent WHERE true ON CONFLICT (agent_id) DO UPDATE SET epoch = agent.epoch + 1, "
        "commit_count = agent.commit_count + 1, claim_high = excluded.claim_high, "
        "claim_low = excluded.claim_low "
        "RETURNING agent, epoch, claim_high, claim_low, commit_count, last_sequence";
    select(
      db, statement.c_str(),
      [&](const row& x) {
        result = {number_at(x, 0), number_at(x, 1), {number_at(x, 2), number_at(x, 3)}};
        changed_.push_back({result.agent, number_at(x, 4), number_at(x, 5), agent_id});
      },
      &agent_id);
  };
  auto err = change(claim_it, true); // otherwise two new agents could get the same key
  if (err)
    return err;
  return result;
}

caf::expected<bool> sql_store::holds(const ownership& by) {
  auto is_owner = false;
  auto err = use(reader_, [&](connection& db) {
    select(
      db,
      "SELECT 1 FROM agent WHERE agent = $1 AND epoch = $2 AND claim_high = $3 AND claim_low = $4",
      [&](const row&) { is_owner = true; }, stored(by.agent), stored(by.epoch),
      stored_bits(by.claim.high), stored_bits(by.claim.low));
  });
  if (err)
    return err;
  return is_owner;
}

caf::expected<std::optional<uint64_t>> sql_store::find_agent(const std::string& agent_id) {
  std::optional<uint64_t> result;
  auto err = use(reader_, [&](connection& db) {
    select(
      db, "SELECT agent FROM agent WHERE agent_id = $1",
      [&](const row& x) { result = number_at(x, 0); }, &agent_id);
  });
  if (err)
    return err;
  return result;
}

caf::expected<std::vector<std::string>> sql_store::agents() {
  std::vector<std::string> result;
  auto err = use(reader_, [&](connection& db) {
    select(db, "SELECT agent_id FROM agent", [&](const row& x) { result.push_back(x.text(0)); });
  });
  if (err)
    return err;
  std::sort(result.begin(), result.end()); // the order of texts in SQL depends on the database
  return result;
}

// -- the journal ------------------------------------------------------------------------

caf::error sql_store::append(std::span<const journal_append> xs) {
  auto in_order = by_agent(xs);
  return change([&](connection& db) {
    for (const auto* x : in_order) {
      if (!move_end(db, *x))
        replace_end(db, *x);
      add_group(db, x->by.agent, x->group);
      sql::add_archived(db, x->by.agent, x->archived);
    }
  });
}

caf::error sql_store::read_journal(
  uint64_t agent, uint64_t after, const visitor<journal_group>& f) {
  // A group may begin before `after` and end after it. Groups do not overlap.
  auto from = stored(after);
  auto is_first = true;
  auto read_some = [&](connection& db) {
    std::vector<journal_group> groups;
    auto take = [&](const row& x) {
      groups.push_back(
        {number_at(x, 0), number_at(x, 1), time_at(x, 2), x.text(3), number_at(x, 4)});
    };
    if (std::exchange(is_first, false))
      select(db,
        "SELECT * FROM (SELECT first_sequence, last_sequence, at_ms, events, checksum "
        "FROM journal WHERE agent = $1 AND first_sequence <= $2 "
        "ORDER BY first_sequence DESC LIMIT 1) AS nearest WHERE last_sequence > $2",
        take, stored(agent), from);
    select(db,
      "SELECT first_sequence, last_sequence, at_ms, events, checksum FROM journal "
      "WHERE agent = $1 AND first_sequence > $2 ORDER BY first_sequence LIMIT $3",
      take, stored(agent), from, groups_read_at_once);
    if (!groups.empty())
      from = stored(groups.back().first);
    return groups;
  };
  return read_all<journal_group>(read_some, f);
}

caf::expected<uint64_t> sql_store::end_of_journal(uint64_t agent) {
  uint64_t result = 0;
  if (auto err = use(reader_, [&](connection& db) { result = sql::end_of(db, agent); }))
    return err;
  return result;
}

caf::error sql_store::cut_journal(const ownership& by, uint64_t after) {
  return change([&](connection& db) {
    check(db, by);
    cut(db, by.agent, after);
  });
}

caf::error sql_store::forget_journal(const ownership& by, uint64_t until) {
  return change([&](connection& db) {
    check(db, by);
    run(db, "DELETE FROM journal WHERE agent = $1 AND first_sequence <= $2 AND last_sequence <= $2",
      stored(by.agent), stored(until));
  });
}

caf::error sql_store::rewrite_journal(const ownership& by, std::span<const journal_group> xs) {
  return change([&](connection& db) {
    check(db, by);
    for (const auto& x : xs)
      run(db,
        "UPDATE journal SET at_ms = $1, events = $2, checksum = $3 "
        "WHERE agent = $4 AND first_sequence = $5 AND last_sequence = $6",
        stored(x.at), &x.events, stored_bits(x.checksum), stored(by.agent), stored(x.first),
        stored(x.last));
  });
}

// -- snapshots --------------------------------------------------------------------------

caf::expected<snapshot_head> sql_store::find_snapshot(uint64_t agent, snapshot_kind kind) {
  caf::expected<snapshot_head> head{snapshot_head{}};
  auto find = [&](connection& db) { head = sql::find_snapshot(db, agent, kind); };
  if (auto err = use(reader_, find))
    return err;
  return head;
}

caf::error sql_store::read_snapshot(
  uint64_t agent, snapshot_kind kind, const visitor<snapshot_row>& f) {
  int64_t after = -1;
  auto read_some = [&](connection& db) {
    auto rows = sql::read_some_snapshot(db, agent, kind, after);
    if (!rows.empty())
      after = stored(rows.back().number);
    return rows;
  };
  return read_all<snapshot_row>(read_some, f);
}

caf::error sql_store::move_snapshot(const ownership& by, snapshot_kind kind,
  const snapshot_head& head, std::span<const snapshot_row> changed) {
  return change([&](connection& db) {
    check(db, by);
    sql::move_snapshot(db, by.agent, kind, head, changed);
  });
}

// -- documents --------------------------------------------------------------------------

caf::error sql_store::put(const ownership& by, std::span<const document> xs) {
  return change([&](connection& db) {
    check(db, by);
    sql::put_documents(db, by.agent, xs);
  });
}

caf::error sql_store::read_documents(
  uint64_t agent, const std::string& collection, const visitor<document>& f) {
  std::vector<std::string> names;
  auto err =
    use(reader_, [&](connection& db) { names = sql::document_names(db, agent, collection); });
  if (err)
    return err;
  size_t next = 0;
  auto read_some = [&](connection& db) {
    return sql::read_some_documents(db, agent, collection, names, next);
  };
  return read_all<document>(read_some, f);
}

caf::expected<uint64_t> sql_store::sum_of_documents(uint64_t agent, const std::string& collection) {
  uint64_t sum = 0;
  auto find = [&](connection& db) { sum = sql::sum_of_documents(db, agent, collection); };
  if (auto err = use(reader_, find))
    return err;
  return sum;
}

caf::expected<uint64_t> sql_store::count_documents(uint64_t agent, const std::string& collection) {
  uint64_t result = 0;
  auto err = use(reader_, [&](connection& db) {
    select(
      db, "SELECT COUNT(*) FROM document WHERE agent = $1 AND collection = $2",
      [&](const row& x) { result = number_at(x, 0); }, stored(agent), &collection);
  });
  if (err)
    return err;
  return result;
}

caf::error sql_store::find_documents(uint64_t agent, const std::string& collection,
  const document_range& range, const visitor<document>& f) {
  sql::document_search search{agent, collection, range};
  auto find_next = [&](connection& db) {
    std::vector<document> found;
    if (auto next = search.next(db))
      found.push_back(std::move(*next));
    return found;
  };
  return read_all<document>(find_next, f);
}

// -- the archive ------------------------------------------------------------------------

caf::error sql_store::read_archive(
  uint64_t agent, const archive_range& range, const visitor<archive_row>& f) {
  auto edge = range.oldest_first ? range.after : range.before;
  sql::unpacked_bodies packed{agent};
  auto read_some = [&](connection& db) {
    std::vector<archive_row> rows;
    // One transaction, because packing or removing moves bodies between rows and packs.
    in_transaction(
      db, [&] { db.begin_reading(); },
      [&] { rows = sql::read_some_archive(db, agent, range, edge, packed); });
    if (!rows.empty())
      edge = rows.back().sequence;
    return rows;
  };
  return read_all<archive_row>(read_some, f);
}

caf::expected<uint64_t> sql_store::sum_of_archive(uint64_t agent) {
  uint64_t sum = 0;
  if (auto err = use(reader_, [&](connection& db) { sum = sql::sum_of_archive(db, agent); }))
    return err;
  return sum;
}

caf::expected<uint64_t> sql_store::pack_archive(
  const ownership& by, timestamp left_before, uint64_t most) {
  uint64_t packed = 0;
  auto err = change([&](connection& db) {
    check(db, by);
    packed = sql::pack_archive(db, by.agent, left_before, most);
    if (packed == 0)
      throw refused{}; // no error: with nothing to pack, the transaction is rolled back
  });
  if (err)
    return err;
  return packed;
}

caf::error sql_store::remove_archived(const ownership& by, std::span<const uint64_t> sequences) {
  return change([&](connection& db) {
    check(db, by);
    sql::remove_archived(db, by.agent, sequences);
  });
}

// -- all of it --------------------------------------------------------------------------

caf::error sql_store::scrub() {
  return use(writer_, [](connection& db) {
    db.scrub({"journal", "snapshot_row", "document", "document_term", "archive", "archive_pack"});
  });
}

// -- imported and repaired histories -------------------------------------------------------

caf::expected<std::vector<std::string>> sql_store::collections(uint64_t agent) {
  std::vector<std::string> result;
  auto err = use(reader_, [&](connection& db) { result = sql::collections_of(db, agent); });
  if (err)
    return err;
  return result;
}

caf::error sql_store::begin_journal(const ownership& by, uint64_t after) {
  return change([&](connection& db) {
    check(db, by);
    if (auto last = sql::end_of(db, by.agent); last != 0)
      throw refused{has_begun(last)};
    set_end(db, by.agent, after);
  });
}

caf::error sql_store::add_archived(const ownership& by, std::span<const archive_row> xs) {
  return change([&](connection& db) {
    check(db, by);
    sql::add_archived(db, by.agent, xs);
  });
}

} // namespace scratchpage
