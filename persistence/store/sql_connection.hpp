#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/time.hpp"

/// What a store needs of SQLite and PostgreSQL: statements with `$1`, `$2`, … in the order of their
/// appearance, whole numbers, texts and bytes. Only the stores use it: failures are exceptions,
/// which the stores convert to errors.

namespace scratchpage::sql {

/// A failure of the database; what() is a sentence for people.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The database can never store one of the values, such as a text that is too long. The database
/// itself works.
struct unkeepable : failure {
  using failure::failure;
};

/// The database has rolled back, because the transaction was in the way of another one (a deadlock
/// or a serialization failure). The same transaction may succeed at once if it is tried again.
struct try_again : failure {
  using failure::failure;
};

/// Another row has the key already.
struct duplicate_key : failure {
  using failure::failure;
};

/// The databases, for the few statements in which they differ.
enum class dialect : uint8_t {
  sqlite,   ///< one connection can write at a time
  postgres, ///< several connections can write at a time; statements may have arrays
};

/// Bytes that are no text.
struct bytes {
  const std::string* of;
};

/// An argument of a statement. What it points to must outlive the call.
using argument = std::variant<int64_t, const std::string*, bytes>;

/// A row of an answer; valid only while it is read.
class row {
public:
  virtual ~row() = default;
  virtual int64_t integer(int column) const = 0;
  virtual std::string text(int column) const = 0;
  virtual std::string bytes(int column) const = 0;
};

class connection {
public:
  virtual ~connection() = default;

  virtual sql::dialect dialect() const = 0;

  /// The name of the type of columns with bytes.
  virtual std::string type_of_bytes() const = 0;

  /// An SQL expression for 64 random bits as a whole number.
  virtual std::string random_number() const = 0;

  /// From here on the connection leaves the files of the database as they are, also when it is
  /// closed, because somebody will examine the damage.
  virtual void leave_files() {}

  /// Executes several statements without arguments.
  virtual void script(const std::string& statements) = 0;

  /// Executes one statement, which is prepared once. `f`, which may be empty, gets the rows.
  /// Returns the number of rows that were changed.
  virtual int64_t run(const std::string& statement, std::span<const argument> arguments = {},
    const std::function<void(const row&)>& f = {}) = 0;

  /// Begins a transaction that writes. It waits for other writers, at the latest when both change
  /// the same row; an `exclusive` one waits for all other exclusive ones.
  virtual void begin(bool exclusive) = 0;
  /// Begins a transaction that only reads, from one state of the database.
  virtual void begin_reading() = 0;
  virtual void commit() = 0;
  /// Never throws: if the rollback fails, the connection is no longer alive.
  virtual void rollback() noexcept = 0;

  /// Removes from the files what was deleted or replaced in these tables, as far as the database
  /// allows it. Not within a transaction.
  virtual void scrub(const std::vector<std::string>& tables) = 0;

  /// Whether the connection can be used. The stores replace one that cannot.
  virtual bool is_alive() const = 0;
};

/// Makes a connection or throws.
using connector = std::function<std::unique_ptr<connection>()>;

} // namespace scratchpage::sql

/// Conversions of values to and from SQL, and shortcuts to execute statements.

namespace scratchpage::sql {

/// Rows that are read at once when a whole table is summed. libpqxx has all rows of an answer in
/// memory.
inline constexpr int64_t sealed_at_once = 4'096;

inline int64_t stored(uint64_t x) {
  return static_cast<int64_t>(std::min<uint64_t>(x, INT64_MAX));
}

inline int64_t stored(timestamp x) {
  return std::chrono::floor<std::chrono::milliseconds>(x.time_since_epoch()).count();
}

/// For checksums, which use all 64 bits.
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

/// Builds the conditions of a WHERE and numbers their arguments. What the arguments point to must
/// outlive this object.
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

  /// Continues the last condition.
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

/// Calls `begin`, then `f`, and commits. If `f` or the commit throws, it rolls back and throws.
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
