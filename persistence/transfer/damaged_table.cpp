#include "scratchpage/persistence/transfer/damaged_store.hpp"

namespace scratchpage {

namespace {

/// The largest number of reads that may fail. A page has some dozens of rows, but if a rowid is
/// damaged, ranges may have any size.
constexpr size_t max_failures = 200'000;

/// How many rows are tried after the last readable one if the last rowid is not known.
constexpr int64_t max_beyond = 10'000;

} // namespace

damaged_table::damaged_table(
  SQLite::Database& db, const std::string& table, const std::string& columns)
  : db_{db},
    select_{"SELECT rowid, " + columns + " FROM " + table
            + " NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid"},
    last_{"SELECT max(rowid) FROM " + table + " NOT INDEXED"} {}

void damaged_table::read(const std::function<void(SQLite::Statement&)>& f) {
  auto last = INT64_MAX;
  try {
    SQLite::Statement ask{db_, last_};
    if (ask.executeStep())
      last = ask.getColumn(0).getInt64(); // 0 if there are no rows
  } catch (const SQLite::Exception& x) {
    why_ = x.what();
  }
  read(1, last, f);
}

void damaged_table::read(
  int64_t first, int64_t last, const std::function<void(SQLite::Statement&)>& f) {
  auto next = first;
  try {
    SQLite::Statement rows{db_, select_};
    rows.bind(1, first);
    rows.bind(2, last);
    while (rows.executeStep()) {
      auto row = rows.getColumn(0).getInt64();
      if (row < next || row == INT64_MAX) // a malformed table may have cycles
        throw SQLite::Exception{"rows are out of order"};
      next = row + 1;
      f(rows);
    }
    return;
  } catch (const SQLite::Exception& x) {
    why_ = x.what();
    ++failures_;
  }
  if (next > last)
    return;
  if (last - next > max_beyond && last == INT64_MAX)
    last = next + max_beyond;
  if (next == last || failures_ > max_failures)
    return note(next, last);
  auto middle = next + (last - next) / 2;
  read(next, middle, f);
  read(middle + 1, last, f);
}

void damaged_table::note(int64_t first, int64_t last) {
  if (!unreadable_.empty() && unreadable_.back().second + 1 == first)
    unreadable_.back().second = last;
  else
    unreadable_.emplace_back(first, last);
}

} // namespace scratchpage
