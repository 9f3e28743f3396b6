#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

/// How the stores' values stand in SQL, and short ways to run a statement.

namespace scratchpage::sql {

/// Rows that are read at once where all of a table are summed: PostgreSQL's library holds all
/// rows of an answer in memory.
inline constexpr int64_t sealed_at_once = 4'096;

inline int64_t stored(uint64_t x) {
  return static_cast<int64_t>(std::min<uint64_t>(x, INT64_MAX));
}

inline int64_t stored(timestamp x) {
  return std::chrono::floor<std::chrono::milliseconds>(x.time_since_epoch()).count();
}

/// A checksum uses all bits.
inline int64_t stored_bits(uint64_t x) {
  return static_cast<int64_t>(x);
}

inline uint64_t number_at(const row& x, int column) {
  return static_cast<uint64_t>(x.integer(column));
}

inline timestamp time_at(const row& x, int column) {
  return timestamp{std::chrono::milliseconds{x.integer(column)}};
}

template <class... Ts>
int64_t run(connection& db, const char* statement, const Ts&... xs) {
  std::array<argument, sizeof...(Ts)> arguments{argument{xs}...};
  return db.run(statement, arguments);
}

template <class F, class... Ts>
void select(connection& db, const char* statement, F f, const Ts&... xs) {
  std::array<argument, sizeof...(Ts)> arguments{argument{xs}...};
  db.run(statement, arguments, f);
}

/// Puts a WHERE together, whose arguments count on. What they point to outlives it.
class conditions {
public:
  void add(const std::string& text, argument x) {
    sql_ += (sql_.empty() ? "" : " AND ") + text + next(x);
  }

  void add_any_of(const std::string& column, const std::vector<std::string>& values) {
    if (values.empty())
      return;
    sql_ += " AND " + column + " IN (";
    for (const auto& x : values)
      sql_ += (&x == values.data() ? "" : ", ") + next(&x);
    sql_ += ")";
  }

  /// To the condition that was added last.
  void append(const std::string& text, argument x) { sql_ += text + next(x); }
  void append(const std::string& text) { sql_ += text; }

  const std::string& sql() const { return sql_; }
  const std::vector<argument>& arguments() const { return arguments_; }

private:
  std::string next(argument x) {
    arguments_.push_back(x);
    return "$" + std::to_string(arguments_.size());
  }

  std::string sql_;
  std::vector<argument> arguments_;
};

/// Calls `f` between a beginning and a commit, all or nothing.
template <class Begin, class F>
void in_transaction(connection& db, Begin begin, F f) {
  begin();
  try {
    f();
    db.commit();
  } catch (...) {
    db.rollback();
    throw;
  }
}

} // namespace scratchpage::sql
