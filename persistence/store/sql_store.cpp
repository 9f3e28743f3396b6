#include "scratchpage/persistence/store/sql_store.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/commit_mark.hpp"
#include "scratchpage/persistence/store/consistent_connection.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/store/sql_tables.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

using sql::connection;
using sql::connection_pool;
using sql::in_transaction;
using sql::number_at;
using sql::refused;
using sql::row;
using sql::select;
using sql::stored;
using sql::stored_bits;
using sql::transaction;

/// How often a transaction is begun that the database rolls back because of another one, and how
/// many keys a new agent draws. Each further attempt fails far less often than the one before.
constexpr int max_attempts = 5;

/// Calls `f` again as long as it throws an `Again`, up to `max_attempts` times in all.
template <class Again, class F>
void attempt(F f) {
  for (int left = max_attempts - 1; left > 0; --left)
    try {
      return f();
    } catch (const Again&) {
    }
  f();
}

} // namespace

sql_store::sql_store(sql::connector connect, std::shared_ptr<commit_mark> mark, size_t readers)
  : connect_{std::move(connect)},
    mark_{std::move(mark)},
    readers_{connect_, readers} {}

caf::expected<std::unique_ptr<sql_store>> sql_store::open(
  sql::connector connect, std::shared_ptr<commit_mark> mark) {
  std::unique_ptr<sql_store> result{
    new sql_store{std::move(connect), std::move(mark), usual_readers()}};
  auto& first = result->add_writer();
  auto begin = [&](connection& db) {
    result->dialect_ = db.dialect();
    if (result->mark_)
      if (auto err = sql::check_mark(db, *result->mark_))
        throw refused{err};
    sql::bring_up_to(db);
    if (result->mark_)
      result->mark_->begin(sql::committed_ends(db));
  };
  if (auto err = result->use(first, begin))
    return err;
  if (result->dialect_ == sql::dialect::postgres)
    while (result->writers_.size() < connection_limits::writers)
      result->add_writer();
  return result;
}

caf::expected<std::unique_ptr<sql_store>> sql_store::open_consistent(sql::connector connect) {
  std::unique_ptr<sql_store> result{new sql_store{sql::consistent(std::move(connect)), {}, 1}};
  result->add_writer();
  auto note_dialect = [&](connection& db) { result->dialect_ = db.dialect(); };
  if (auto err = result->use(result->readers_, note_dialect))
    return err;
  return result;
}

connection_pool& sql_store::add_writer() {
  return *writers_.emplace_back(std::make_unique<connection_pool>(connect_, 1));
}

/// The connection for an agent's writes. It is always the same one, so that they are in order, and
/// so that a caller for each group of agents has one for itself (`lane_of`).
connection_pool& sql_store::writer_of(uint64_t agent) {
  return *writers_[lane_of(agent, writers_.size())];
}

/// Calls `f` with a connection. An exception of `f` becomes the error.
template <class F>
caf::error sql_store::use(connection_pool& of, F f) {
  try {
    of.use(f);
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
caf::error sql_store::write(connection_pool& of, F f, bool exclusive) {
  return use(of, [&](connection& db) {
    attempt<sql::try_again>([&] {
      transaction in{db};
      in_transaction(
        db, [&] { db.begin(exclusive); }, [&] { f(in); });
      if (mark_)
        for (const auto& x : in.ends)
          mark_->note(x);
    });
  });
}

/// Calls `f` in a transaction of the owner.
template <class F>
caf::error sql_store::change(const ownership& by, F f) {
  return write(writer_of(by.agent), [&](transaction& in) {
    sql::check(in, by);
    f(in);
  });
}

/// Calls `read_some(db)`, which reads a part, until a part is empty or `f` returns false. Others
/// are served in between.
template <class T, class Read>
caf::error sql_store::read_all(Read read_some, const visitor<T>& f) {
  while (true) {
    std::vector<T> part;
    if (auto err = use(readers_, [&](connection& db) { part = read_some(db); }))
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
  auto claim_it = [&](transaction& in) { result = sql::claim(in, agent_id); };
  auto err = dialect_ == sql::dialect::postgres
               ? use(writer_of(++claims_), [&](connection& db) { claim_at_once(db, claim_it); })
               : write(*writers_.front(), claim_it, true);
  if (err)
    return err;
  return result;
}

/// On PostgreSQL a claim is one statement, which is a transaction of its own.
template <class F>
void sql_store::claim_at_once(connection& db, F claim_it) {
  attempt<sql::duplicate_key>([&] {
    attempt<sql::try_again>([&] {
      transaction in{db};
      claim_it(in);
    });
  });
}

caf::expected<bool> sql_store::holds(const ownership& by) {
  auto is_owner = false;
  auto err = use(readers_, [&](connection& db) {
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

caf::expected<std::vector<ownership>> sql_store::lost(std::span<const ownership> xs) {
  if (dialect_ != sql::dialect::postgres)
    return store::lost(xs);
  constexpr size_t at_once = 1'000;
  std::vector<ownership> result;
  for (size_t i = 0; i < xs.size(); i += at_once) {
    auto part = xs.subspan(i, std::min(at_once, xs.size() - i));
    std::vector<bool> held;
    if (auto err = use(readers_, [&](connection& db) { held = sql::held(db, part); }))
      return err;
    for (size_t n = 0; n < part.size(); ++n)
      if (!held[n])
        result.push_back(part[n]);
  }
  return result;
}

caf::expected<std::optional<uint64_t>> sql_store::find_agent(const std::string& agent_id) {
  std::optional<uint64_t> result;
  auto err = use(readers_, [&](connection& db) {
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
  auto err = use(readers_, [&](connection& db) {
    result.clear();
    select(db, "SELECT agent_id FROM agent", [&](const row& x) { result.push_back(x.text(0)); });
  });
  if (err)
    return err;
  std::sort(result.begin(), result.end()); // the order of texts in SQL depends on the database
  return result;
}

caf::expected<std::vector<std::string>> sql_store::agents_after(
  const std::string& after, uint64_t most) {
  std::vector<std::string> result;
  auto find = [&](connection& db) { result = sql::agents_after(db, after, most); };
  if (auto err = use(readers_, find))
    return err;
  return result;
}

caf::expected<std::vector<std::string>> sql_store::agents_with(const std::string& collection) {
  std::vector<std::string> result;
  auto find = [&](connection& db) { result = sql::agents_with(db, collection); };
  if (auto err = use(readers_, find))
    return err;
  return result;
}

// -- the journal ------------------------------------------------------------------------

std::vector<caf::error> sql_store::append(std::span<const journal_append> xs) {
  std::vector<caf::error> verdicts(xs.size());
  if (xs.empty())
    return verdicts;
  auto err = dialect_ == sql::dialect::postgres ? append_at_once(xs, verdicts)
                                                : append_in_order(xs, verdicts);
  if (err && code_of(err) == errc::invalid_request && xs.size() > 1)
    return append_one_by_one(xs);
  if (err)
    std::fill(verdicts.begin(), verdicts.end(), err);
  return verdicts;
}

/// Appends all in one transaction.
caf::error sql_store::append_in_order(
  std::span<const journal_append> xs, std::vector<caf::error>& verdicts) {
  return write(*writers_.front(), [&](transaction& in) {
    for (const auto* x : by_agent(xs))
      verdicts[static_cast<size_t>(x - xs.data())] = sql::append(in, *x);
  });
}

/// Appends all in one statement. Then each that is not as the statement expects has a transaction
/// of its own.
caf::error sql_store::append_at_once(
  std::span<const journal_append> xs, std::vector<caf::error>& verdicts) {
  std::vector<bool> moved;
  auto& of = writer_of(xs.front().by.agent);
  auto append_all = [&](connection& db) {
    attempt<sql::try_again>([&] { moved = sql::append_at_once(db, xs); });
  };
  if (auto err = use(of, append_all))
    return err;
  for (size_t i = 0; i < xs.size(); ++i)
    if (!moved[i])
      verdicts[i] = write(of, [&](transaction& in) {
        if (auto err = sql::append(in, xs[i]))
          throw refused{err};
      });
  return {};
}

/// Finds the one that the database can never store. After a failure of the storage no more are
/// tried, because each attempt may take long.
std::vector<caf::error> sql_store::append_one_by_one(std::span<const journal_append> xs) {
  std::vector<caf::error> verdicts;
  caf::error failure;
  for (const auto& x : xs) {
    verdicts.push_back(failure ? failure : append_one(x));
    if (verdicts.back() && code_of(verdicts.back()) == errc::storage_unavailable)
      failure = verdicts.back();
  }
  return verdicts;
}

caf::error sql_store::read_journal(
  uint64_t agent, uint64_t after, const visitor<journal_group>& f) {
  sql::journal_reading reading{agent, after};
  return read_all<journal_group>([&](connection& db) { return reading.next(db); }, f);
}

caf::expected<uint64_t> sql_store::end_of_journal(uint64_t agent) {
  uint64_t result = 0;
  if (auto err = use(readers_, [&](connection& db) { result = sql::end_of(db, agent); }))
    return err;
  return result;
}

caf::error sql_store::cut_journal(const ownership& by, uint64_t after) {
  return change(by, [&](transaction& in) { sql::cut_journal(in, by.agent, after); });
}

caf::error sql_store::forget_journal(const ownership& by, uint64_t until) {
  return change(by, [&](transaction& in) { sql::forget_journal(in, by.agent, until); });
}

caf::error sql_store::rewrite_journal(const ownership& by, std::span<const journal_group> xs) {
  return change(by, [&](transaction& in) { sql::rewrite_journal(in, by.agent, xs); });
}

// -- snapshots --------------------------------------------------------------------------

caf::expected<snapshot_head> sql_store::find_snapshot(uint64_t agent, snapshot_kind kind) {
  caf::expected<snapshot_head> head{snapshot_head{}};
  auto find = [&](connection& db) { head = sql::find_snapshot(db, agent, kind); };
  if (auto err = use(readers_, find))
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
  return change(
    by, [&](transaction& in) { sql::move_snapshot(in.db, by.agent, kind, head, changed); });
}

// -- documents --------------------------------------------------------------------------

caf::error sql_store::put(const ownership& by, std::span<const document> xs) {
  return change(by, [&](transaction& in) { sql::put_documents(in.db, by.agent, xs); });
}

caf::error sql_store::read_documents(
  uint64_t agent, const std::string& collection, const visitor<document>& f) {
  std::vector<std::string> names;
  auto err =
    use(readers_, [&](connection& db) { names = sql::document_names(db, agent, collection); });
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
  if (auto err = use(readers_, find))
    return err;
  return sum;
}

caf::expected<uint64_t> sql_store::count_documents(uint64_t agent, const std::string& collection) {
  uint64_t result = 0;
  auto err = use(readers_, [&](connection& db) {
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
  if (auto err = use(readers_, [&](connection& db) { sum = sql::sum_of_archive(db, agent); }))
    return err;
  return sum;
}

caf::expected<uint64_t> sql_store::pack_archive(
  const ownership& by, timestamp left_before, uint64_t most) {
  uint64_t packed = 0;
  auto err = change(by, [&](transaction& in) {
    packed = sql::pack_archive(in.db, by.agent, left_before, most);
    if (packed == 0)
      throw refused{}; // no error: with nothing to pack, the transaction is rolled back
  });
  if (err)
    return err;
  return packed;
}

caf::error sql_store::remove_archived(const ownership& by, std::span<const uint64_t> sequences) {
  return change(by, [&](transaction& in) { sql::remove_archived(in.db, by.agent, sequences); });
}

// -- all of it --------------------------------------------------------------------------

caf::error sql_store::scrub() {
  return use(*writers_.front(), [](connection& db) {
    db.scrub({"journal", "snapshot_row", "document", "document_term", "archive", "archive_pack"});
  });
}

// -- imported and repaired histories -------------------------------------------------------

caf::expected<std::vector<std::string>> sql_store::collections(uint64_t agent) {
  std::vector<std::string> result;
  auto err = use(readers_, [&](connection& db) { result = sql::collections_of(db, agent); });
  if (err)
    return err;
  return result;
}

caf::error sql_store::begin_journal(const ownership& by, uint64_t after) {
  return change(by, [&](transaction& in) { sql::begin_journal(in, by.agent, after); });
}

caf::error sql_store::add_archived(const ownership& by, std::span<const archive_row> xs) {
  return change(by, [&](transaction& in) { sql::add_archived(in.db, by.agent, xs); });
}

} // namespace scratchpage
