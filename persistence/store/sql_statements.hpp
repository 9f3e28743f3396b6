#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

/// How the stores' values stand in SQL, and short ways to run a statement.

namespace scratchpage::sql {

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

} // namespace scratchpage::sql
