#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

namespace scratchpage {

/// Reads the rows of a table of which some may not be readable: around what is
/// malformed by ever smaller ranges of rowids. Does not use indexes, which may be
/// damaged by themselves.
class damaged_table {
public:
  /// `columns` as SQL; the first is number 1, and 0 is the rowid.
  damaged_table(SQLite::Database& db, const std::string& table, const std::string& columns);

  /// Calls `f` with each row that can be read, in the order of their rowids.
  void read(const std::function<void(SQLite::Statement&)>& f);

  /// Rowids at which there may have been rows: first and last.
  const std::vector<std::pair<int64_t, int64_t>>& unreadable() const { return unreadable_; }
  const std::string& why() const { return why_; }

private:
  void read(int64_t first, int64_t last, const std::function<void(SQLite::Statement&)>& f);
  void note(int64_t first, int64_t last);

  SQLite::Database& db_;
  std::string select_;
  std::string last_;
  std::vector<std::pair<int64_t, int64_t>> unreadable_;
  std::string why_;
  size_t failures_ = 0;
};

} // namespace scratchpage
