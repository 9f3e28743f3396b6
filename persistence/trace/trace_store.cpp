#include "scratchpage/persistence/trace/trace_store.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/store/compression.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"
#include "scratchpage/persistence/trace/trace_tables.hpp"

namespace scratchpage {

namespace {

using sql::connection;
using sql::in_transaction;
using sql::row;
using sql::run;
using sql::select;
using sql::stored;
using sql::time_at;

constexpr size_t max_bytes_in_batch = 1u << 20;
constexpr size_t max_bytes_in_part = 1u << 20;
constexpr json_limits entry_limits{16u << 20, 128, any_number_of_values};

uint64_t commits_in(connection& db) {
  uint64_t result = 0;
  select(
    db, "SELECT commits FROM trace_commit", [&](const row& x) { result = sql::number_at(x, 0); });
  return result;
}

/// The content of a row. It has a line for each entry, with its number in the batch and its JSON.
struct block {
  timestamp began = timestamp::max();
  timestamp ended = timestamp::min();
  uint64_t entries = 0;
  uint64_t failures = 0;
  std::string lines;

  void put(uint64_t number, const trace_entry& x) {
    began = std::min(began, x.at);
    ended = std::max(ended, x.at);
    ++entries;
    if (is_error_status(x.status))
      ++failures;
    append_json(lines, number);
    lines += ' ';
    append_complete(lines, x);
    lines += '\n';
  }
};

/// Blocks by turn.
using blocks = std::map<std::string, block>;

/// Entries by their numbers.
using numbered = std::map<uint64_t, trace_entry>;

trace_entry entry_of(std::string_view text) {
  auto x = from_json_text<trace_entry>(text, entry_limits);
  if (!x)
    throw sql::failure{"an entry of the trace is damaged"};
  return std::move(*x);
}

/// Calls `f` with each line's number and text.
template <class F>
void for_each_line(const std::string& compressed, F f) {
  auto text = decompress(compressed);
  if (!text)
    throw sql::failure{"a part of the trace is damaged"};
  for (std::string_view rest{*text}; !rest.empty();) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    uint64_t number = 0;
    auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{})
      throw sql::failure{"a line of the trace is damaged"};
    line.remove_prefix(static_cast<size_t>(end - line.data()));
    f(number, line);
  }
}

void take_lines(const std::string& compressed, numbered& to) {
  for_each_line(compressed,
    [&](uint64_t number, std::string_view text) { to.insert_or_assign(number, entry_of(text)); });
}

/// The place of a batch.
struct place {
  int64_t epoch;
  int64_t batch;
};

constexpr place before_all{-1, -1};
constexpr place behind_all{INT64_MAX, INT64_MAX};

void write_blocks(connection& db, compressor& pack, const std::string& agent_id, const place& at,
  const blocks& xs) {
  for (const auto& [turn_id, x] : xs) {
    auto lines = pack(x.lines);
    run(db,
      "INSERT INTO trace_block (agent_id, epoch, batch, turn_id, began_ms, ended_ms, entries, "
      "failed, lines) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
      &agent_id, at.epoch, at.batch, &turn_id, stored(x.began), stored(x.ended), stored(x.entries),
      stored(x.failures), sql::bytes{&lines});
  }
}

int64_t last_batch(connection& db, const std::string& agent_id, int64_t epoch) {
  int64_t result = 0;
  select(
    db, "SELECT COALESCE(MAX(batch), 0) FROM trace_block WHERE agent_id = $1 AND epoch = $2",
    [&](const row& x) { result = x.integer(0); }, &agent_id, epoch);
  return result;
}

/// Adds entries as rows of at most about `max_bytes_in_batch`.
void add_batch(connection& db, compressor& pack, const trace_batch& x) {
  place at{stored(x.epoch), last_batch(db, x.agent_id, stored(x.epoch))};
  blocks rows;
  size_t bytes = 0;
  uint64_t number = 0;
  const std::string* turn_id = nullptr; // of the entry before
  block* to = nullptr;
  for (const auto& one : x.entries) {
    if (to == nullptr || *turn_id != one.turn_id)
      to = &rows[as_key_text(one.turn_id)];
    turn_id = &one.turn_id;
    auto before = to->lines.size();
    to->put(++number, one);
    bytes += to->lines.size() - before;
    if (bytes < max_bytes_in_batch && &one != &x.entries.back())
      continue;
    ++at.batch;
    write_blocks(db, pack, x.agent_id, at, rows);
    rows.clear();
    to = nullptr;
    bytes = 0;
  }
}

/// Reads the next batch after `after`, which moves to it; of one turn, or of all if `turn_id` is
/// empty.
numbered read_next(
  connection& db, const std::string& agent_id, const std::string& turn_id, place& after) {
  numbered found;
  auto from = after;
  auto take = [&](const row& x) {
    after = {x.integer(0), x.integer(1)};
    take_lines(x.bytes(2), found);
  };
  if (turn_id.empty())
    select(db,
      "SELECT epoch, batch, lines FROM trace_block WHERE agent_id = $1 AND (epoch, batch) = "
      "(SELECT epoch, batch FROM trace_block WHERE agent_id = $1 AND (epoch, batch) > ($2, $3) "
      "ORDER BY epoch, batch LIMIT 1)",
      take, &agent_id, from.epoch, from.batch);
  else
    select(db,
      "SELECT epoch, batch, lines FROM trace_block WHERE agent_id = $1 AND turn_id = $2 AND "
      "(epoch, batch) > ($3, $4) ORDER BY epoch, batch LIMIT 1",
      take, &agent_id, &turn_id, from.epoch, from.batch);
  return found;
}

/// Collects the entries of a turn after a place, up to a number and a size. The first entry is
/// taken whatever its size is.
class turn_part {
public:
  turn_part(turn_trace& to, trace_place after, uint64_t most)
    : to_{to},
      last_{after},
      most_{most} {}

  /// Reads the next batch. Returns whether there may be more to read.
  bool read_on(connection& db, const std::string& agent_id) {
    auto has_row = false;
    auto take = [&](const row& x) {
      has_row = true;
      at_ = {x.integer(0), x.integer(1)};
      for_each_line(x.bytes(2), [this](uint64_t number, std::string_view text) {
        put({at_.epoch, at_.batch, static_cast<int64_t>(number)}, text);
      });
    };
    auto from = at_.epoch < 0 ? place{last_.epoch, last_.batch - 1} : at_;
    select(db,
      "SELECT epoch, batch, lines FROM trace_block WHERE agent_id = $1 AND turn_id = $2 AND "
      "(epoch, batch) > ($3, $4) ORDER BY epoch, batch LIMIT 1",
      take, &agent_id, &to_.turn_id, from.epoch, from.batch);
    return has_row && to_.next_cursor.empty();
  }

private:
  void put(const trace_place& at, std::string_view text) {
    auto is_known = at.epoch == last_.epoch && at.batch == last_.batch && at.number <= last_.number;
    if (is_known || !to_.next_cursor.empty())
      return;
    bytes_ += text.size();
    if (to_.entries.size() == most_ || (bytes_ > max_bytes_in_part && !to_.entries.empty())) {
      to_.next_cursor = last_.to_cursor();
      return;
    }
    to_.entries.push_back(entry_of(text));
    last_ = at;
  }

  turn_trace& to_;
  trace_place last_; ///< of the last entry that was taken
  place at_ = before_all;
  const uint64_t most_;
  size_t bytes_ = 0;
};

/// Reads the last batch before `until`, which moves back to it.
numbered read_previous(connection& db, const std::string& agent_id, place& until) {
  numbered found;
  auto from = until;
  select(
    db,
    "SELECT epoch, batch, lines FROM trace_block WHERE agent_id = $1 AND (epoch, batch) = "
    "(SELECT epoch, batch FROM trace_block WHERE agent_id = $1 AND (epoch, batch) < ($2, $3) "
    "ORDER BY epoch DESC, batch DESC LIMIT 1)",
    [&](const row& x) {
      until = {x.integer(0), x.integer(1)};
      take_lines(x.bytes(2), found);
    },
    &agent_id, from.epoch, from.batch);
  return found;
}

/// The stored bytes of an agent. The id of a turn is in the table and in two indexes, and is not
/// compressed.
uint64_t stored_bytes(connection& db, const std::string& agent_id) {
  uint64_t result = 0;
  select(
    db,
    "SELECT COALESCE(SUM(LENGTH(lines) + 3 * LENGTH(turn_id)), 0) FROM trace_block "
    "WHERE agent_id = $1",
    [&](const row& x) { result = static_cast<uint64_t>(x.integer(0)); }, &agent_id);
  return result;
}

/// The last batch to remove so that only the newest `bytes` stay.
place last_beyond(connection& db, const std::string& agent_id, uint64_t bytes) {
  auto result = before_all;
  uint64_t sum = 0;
  select(
    db,
    "SELECT epoch, batch, LENGTH(lines) + 3 * LENGTH(turn_id) FROM trace_block "
    "WHERE agent_id = $1 ORDER BY epoch DESC, batch DESC",
    [&](const row& x) {
      sum += static_cast<uint64_t>(x.integer(2));
      if (sum > bytes && result.epoch < 0)
        result = {x.integer(0), x.integer(1)};
    },
    &agent_id);
  return result;
}

/// A row that has both older and newer entries.
struct mixed_block {
  place at;
  std::string turn_id;
  std::string lines;
};

/// Removes the older entries from rows that have both older and newer ones. Returns the number of
/// such rows.
int64_t forget_some(
  connection& db, compressor& pack, const std::string& agent_id, timestamp before) {
  std::vector<mixed_block> mixed;
  select(
    db,
    "SELECT epoch, batch, turn_id, lines FROM trace_block "
    "WHERE agent_id = $1 AND ended_ms >= $2 AND began_ms < $2",
    [&](const row& x) {
      mixed.push_back({{x.integer(0), x.integer(1)}, x.text(2), x.bytes(3)});
    },
    &agent_id, stored(before));
  for (const auto& x : mixed) {
    numbered all;
    take_lines(x.lines, all);
    blocks rest;
    for (const auto& [number, one] : all)
      if (one.at >= before)
        rest[x.turn_id].put(number, one);
    run(db,
      "DELETE FROM trace_block WHERE agent_id = $1 AND epoch = $2 AND batch = $3 AND turn_id = $4",
      &agent_id, x.at.epoch, x.at.batch, &x.turn_id);
    write_blocks(db, pack, agent_id, x.at, rest);
  }
  return static_cast<int64_t>(mixed.size());
}

} // namespace

caf::expected<std::unique_ptr<trace_store>> trace_store::open(
  sql::connector connect, std::shared_ptr<commit_mark> mark) {
  std::unique_ptr<trace_store> result{new trace_store{std::move(connect), std::move(mark)}};
  auto make_tables = [&](connection& db) {
    in_transaction(
      db, [&] { db.begin(false); },
      [&] {
        db.script(tables_of(db));
        if (result->mark_)
          db.script(table_of_commits);
      });
    if (result->mark_)
      result->look_what_is_missing(db);
  };
  if (auto err = result->use(make_tables))
    return err;
  return result;
}

/// Compares the mark with the database. Traces are not acknowledged, so lost commits are only
/// reported in `doubt_`.
void trace_store::look_what_is_missing(connection& db) {
  auto wanted = mark_->read(); // first, because others may be writing
  std::vector<committed_end> found{{1, commits_in(db), 0, "trace"}};
  mark_->expect(found);
  doubt_ = mark_->problem();
  if (auto missing = missing_in(found, wanted); !missing.empty())
    doubt_ = "the last entries of the trace are missing, those of "
             + std::to_string(missing.front().wanted.commits - missing.front().found.commits)
             + " commits: there was a power cut, or " + mark_->database().string()
             + " or its log is damaged";
  mark_->begin(found);
}

/// Calls `f` in a transaction and records the commit in the mark.
template <class F>
void trace_store::change(connection& db, F f) {
  uint64_t commits = 0;
  in_transaction(
    db, [&] { db.begin(false); },
    [&] {
      f();
      if (mark_)
        select(db, "UPDATE trace_commit SET commits = commits + 1 RETURNING commits",
          [&](const row& x) { commits = sql::number_at(x, 0); });
    });
  if (mark_)
    mark_->note({1, commits, 0, "trace"});
}

/// Calls `f` with the connection, which is made again if it broke. An exception becomes the error.
template <class F>
caf::error trace_store::use(F f) {
  std::lock_guard lock{mutex_};
  try {
    if (!db_ || !db_->is_alive()) {
      db_.reset(); // the old one is closed first
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
  trace_batch only{agent_id, epoch, xs};
  return add({&only, 1});
}

caf::error trace_store::add(std::span<const trace_batch> xs) {
  return use([&](connection& db) {
    change(db, [&] {
      for (const auto& x : xs)
        add_batch(db, pack_, x);
    });
  });
}

caf::error trace_store::forget(const std::string& agent_id, timestamp before) {
  return use([&](connection& db) {
    int64_t forgotten = 0;
    auto forget_all = [&] {
      forgotten = run(db, "DELETE FROM trace_block WHERE agent_id = $1 AND ended_ms < $2",
        &agent_id, stored(before));
      forgotten += forget_some(db, pack_, agent_id, before);
    };
    change(db, forget_all);
    if (forgotten > 0)
      db.scrub({"trace_block"}); // because entries may have had personal data
  });
}

caf::error trace_store::keep_newest(const std::string& agent_id, uint64_t bytes) {
  return use([&](connection& db) {
    if (stored_bytes(db, agent_id) <= bytes)
      return;
    auto last = last_beyond(db, agent_id, bytes - bytes / 8);
    change(db, [&] {
      run(db, "DELETE FROM trace_block WHERE agent_id = $1 AND (epoch, batch) <= ($2, $3)",
        &agent_id, last.epoch, last.batch);
    });
    db.scrub({"trace_block"}); // as above
  });
}

caf::error trace_store::read(
  const std::string& agent_id, const std::string& turn_id, const visitor& f) {
  auto after = before_all;
  while (true) {
    numbered part;
    auto read_part = [&](connection& db) { part = read_next(db, agent_id, turn_id, after); };
    if (auto err = use(read_part))
      return err;
    if (part.empty())
      return {};
    for (auto& [number, x] : part)
      if (!f(std::move(x)))
        return {};
  }
}

caf::expected<turn_trace> trace_store::turn(const std::string& agent_id, const trace_query& which) {
  if (which.turn_id.empty())
    return fail(errc::invalid_request, "turn_id", "expected a turn's id");
  if (auto err = check_turn_id(which.turn_id))
    return err;
  if (which.limit < 1 || which.limit > trace_query::most)
    return fail(errc::invalid_request, "limit",
      "expected a number from 1 to " + std::to_string(trace_query::most));
  auto after = read_trace_cursor(which.cursor);
  if (!after)
    return fail(errc::invalid_request, "cursor", "expected the next_cursor of an earlier answer");
  turn_trace result;
  result.turn_id = which.turn_id;
  auto err = use([&](connection& db) {
    select(
      db, "SELECT COALESCE(SUM(entries), 0) FROM trace_block WHERE agent_id = $1 AND turn_id = $2",
      [&](const row& x) { result.total_count = static_cast<uint64_t>(x.integer(0)); }, &agent_id,
      &which.turn_id);
    turn_part part{result, *after, which.limit};
    while (part.read_on(db, agent_id)) {
    }
  });
  if (err)
    return err;
  if (result.total_count == 0)
    return fail(errc::not_found, "turn_id", "expected a turn that has a trace");
  return result;
}

caf::expected<std::vector<trace_entry>> trace_store::latest(
  const std::string& agent_id, uint64_t count) {
  std::vector<trace_entry> result;
  auto err = use([&](connection& db) {
    auto until = behind_all;
    while (result.size() < count) {
      auto part = read_previous(db, agent_id, until);
      if (part.empty())
        return;
      for (auto i = part.rbegin(); i != part.rend() && result.size() < count; ++i)
        result.push_back(std::move(i->second));
    }
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
      "SELECT turn_id, MIN(began_ms), MAX(ended_ms), SUM(entries), SUM(failed) FROM trace_block "
      "WHERE agent_id = $1 AND turn_id <> '' GROUP BY turn_id "
      "ORDER BY MAX(ended_ms) DESC, turn_id DESC LIMIT $2",
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
