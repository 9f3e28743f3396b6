#include "scratchpage/persistence/store/trace_store.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/sql_statements.hpp"

namespace scratchpage {

namespace {

using sql::connection;
using sql::in_transaction;
using sql::row;
using sql::run;
using sql::select;
using sql::stored;
using sql::time_at;

constexpr uint64_t entries_at_once = 256; // read before others get their turn
constexpr json_limits entry_limits{16u << 20, 128};

/// Traces are kept for days and need no migrations: a later form gets another
/// name, and this one is forgotten.
constexpr auto tables = R"(
  CREATE TABLE IF NOT EXISTS trace_entry (
    agent_id TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    number BIGINT NOT NULL,
    turn_id TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (agent_id, epoch, number)
  );
  CREATE INDEX IF NOT EXISTS trace_by_turn ON trace_entry (agent_id, turn_id);
  CREATE INDEX IF NOT EXISTS trace_by_time ON trace_entry (agent_id, at_ms);
)";

int64_t has_failed(const trace_entry& x) {
  return x.status != "success" && x.status != "warning" ? 1 : 0;
}

trace_entry entry_of(const std::string& text) {
  auto x = from_json_text<trace_entry>(text, entry_limits);
  if (!x)
    throw sql::failure{"an entry of the trace is damaged: " + describe(x.error())};
  return std::move(*x);
}

/// Where an entry stands.
struct place {
  int64_t epoch = -1;
  int64_t number = -1;
};

/// Some entries behind `after`, which moves on; all turns' if `turn_id` is empty.
std::vector<trace_entry> read_some(
  connection& db, const std::string& agent_id, const std::string& turn_id, place& after) {
  std::vector<trace_entry> found;
  auto take = [&](const row& x) {
    after = {x.integer(0), x.integer(1)};
    found.push_back(entry_of(x.text(2)));
  };
  if (turn_id.empty())
    select(db,
      "SELECT epoch, number, entry FROM trace_entry WHERE agent_id = $1 AND "
      "(epoch > $2 OR (epoch = $2 AND number > $3)) ORDER BY epoch, number LIMIT $4",
      take, &agent_id, after.epoch, after.number, stored(entries_at_once));
  else
    select(db,
      "SELECT epoch, number, entry FROM trace_entry WHERE agent_id = $1 AND turn_id = $2 AND "
      "(epoch > $3 OR (epoch = $3 AND number > $4)) ORDER BY epoch, number LIMIT $5",
      take, &agent_id, &turn_id, after.epoch, after.number, stored(entries_at_once));
  return found;
}

} // namespace

caf::expected<std::unique_ptr<trace_store>> trace_store::open(sql::connector connect) {
  std::unique_ptr<trace_store> result{new trace_store{std::move(connect)}};
  auto make_tables = [](connection& db) {
    in_transaction(
      db, [&] { db.begin(false); }, [&] { db.script(tables); });
  };
  if (auto err = result->use(make_tables))
    return err;
  return result;
}

/// Calls `f` with the connection, which is made anew if it broke; what is thrown
/// becomes the error.
template <class F>
caf::error trace_store::use(F f) {
  std::lock_guard lock{mutex_};
  try {
    if (!db_ || !db_->is_alive()) {
      db_.reset(); // the old one lets go first
      db_ = connect_();
    }
    f(*db_);
    return {};
  } catch (const std::exception& x) {
    return fail(errc::storage_unavailable, "", x.what());
  }
}

caf::error trace_store::add(
  const std::string& agent_id, uint64_t epoch, std::span<const trace_entry> xs) {
  return use([&](connection& db) {
    auto add_all = [&] {
      int64_t last = 0;
      select(
        db, "SELECT COALESCE(MAX(number), 0) FROM trace_entry WHERE agent_id = $1 AND epoch = $2",
        [&](const row& x) { last = x.integer(0); }, &agent_id, stored(epoch));
      for (const auto& x : xs) {
        auto text = to_json_text(x);
        run(db,
          "INSERT INTO trace_entry (agent_id, epoch, number, turn_id, at_ms, failed, entry) "
          "VALUES ($1, $2, $3, $4, $5, $6, $7)",
          &agent_id, stored(epoch), ++last, &x.turn_id, stored(x.at), has_failed(x), &text);
      }
    };
    in_transaction(
      db, [&] { db.begin(false); }, add_all);
  });
}

caf::error trace_store::forget(const std::string& agent_id, timestamp before) {
  return use([&](connection& db) {
    auto statement = "DELETE FROM trace_entry WHERE agent_id = $1 AND at_ms < $2";
    if (run(db, statement, &agent_id, stored(before)) > 0)
      db.scrub({"trace_entry"}); // personal data may have been in it
  });
}

caf::error trace_store::read(
  const std::string& agent_id, const std::string& turn_id, const visitor& f) {
  place after;
  while (true) {
    std::vector<trace_entry> part;
    auto read_part = [&](connection& db) { part = read_some(db, agent_id, turn_id, after); };
    if (auto err = use(read_part))
      return err;
    if (part.empty())
      return {};
    for (auto& x : part)
      if (!f(std::move(x)))
        return {};
  }
}

caf::expected<std::vector<trace_entry>> trace_store::latest(
  const std::string& agent_id, uint64_t count) {
  std::vector<trace_entry> result;
  auto err = use([&](connection& db) {
    select(
      db,
      "SELECT entry FROM trace_entry WHERE agent_id = $1 ORDER BY epoch DESC, number DESC "
      "LIMIT $2",
      [&](const row& x) { result.push_back(entry_of(x.text(0))); }, &agent_id, stored(count));
  });
  if (err)
    return err;
  std::reverse(result.begin(), result.end());
  return result;
}

caf::expected<std::vector<traced_turn>> trace_store::turns(
  const std::string& agent_id, uint64_t count) {
  std::vector<traced_turn> result;
  auto err = use([&](connection& db) {
    select(
      db,
      "SELECT turn_id, MIN(at_ms), MAX(at_ms), COUNT(*), SUM(failed) FROM trace_entry "
      "WHERE agent_id = $1 AND turn_id <> '' GROUP BY turn_id "
      "ORDER BY MAX(at_ms) DESC, turn_id DESC LIMIT $2",
      [&](const row& x) {
        result.push_back({x.text(0), time_at(x, 1), time_at(x, 2),
          static_cast<uint64_t>(x.integer(3)), static_cast<uint64_t>(x.integer(4))});
      },
      &agent_id, stored(count));
  });
  if (err)
    return err;
  return result;
}

} // namespace scratchpage
