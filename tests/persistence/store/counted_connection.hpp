#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "scratchpage/persistence/store/sql_connection.hpp"
#include "scratchpage/tests/persistence/store/passing_connection.hpp"

namespace scratchpage::test {

/// Counts of what connections have done.
struct connection_counts {
  size_t statements = 0;  ///< single statements, not scripts
  size_t round_trips = 0; ///< to a server, with the statements that begin and end transactions
  size_t most_rows = 0;   ///< largest number of rows in an answer
  size_t most_bytes = 0;  ///< largest number of bytes read of an answer
};

/// A row that counts the bytes that are read of it.
class counted_row : public sql::row {
public:
  counted_row(const sql::row& of, size_t& bytes)
    : of_{of},
      bytes_{bytes} {}

  int64_t integer(int column) const override { return of_.integer(column); }
  std::string text(int column) const override { return count(of_.text(column)); }
  std::string bytes(int column) const override { return count(of_.bytes(column)); }

private:
  std::string count(std::string x) const {
    bytes_ += x.size();
    return x;
  }

  const sql::row& of_;
  size_t& bytes_;
};

/// A connection that passes everything on and counts.
class counted_connection : public passing_connection {
public:
  counted_connection(std::unique_ptr<sql::connection> db, std::shared_ptr<connection_counts> counts)
    : passing_connection{std::move(db)},
      counts_{std::move(counts)} {}

  int64_t run(const std::string& statement, std::span<const sql::argument> arguments,
    const std::function<void(const sql::row&)>& f) override {
    ++counts_->statements;
    ++counts_->round_trips;
    size_t rows = 0;
    size_t bytes = 0;
    auto changed = passing_connection::run(statement, arguments, [&](const sql::row& x) {
      ++rows;
      if (f)
        f(counted_row{x, bytes});
    });
    counts_->most_rows = std::max(counts_->most_rows, rows);
    counts_->most_bytes = std::max(counts_->most_bytes, bytes);
    return changed;
  }

  void script(const std::string& statements) override {
    ++counts_->round_trips;
    passing_connection::script(statements);
  }

  void begin(bool exclusive) override {
    counts_->round_trips += exclusive ? 2 : 1;
    passing_connection::begin(exclusive);
  }

  void begin_reading() override {
    ++counts_->round_trips;
    passing_connection::begin_reading();
  }

  void commit() override {
    ++counts_->round_trips;
    passing_connection::commit();
  }

  void rollback() noexcept override {
    ++counts_->round_trips;
    passing_connection::rollback();
  }

private:
  std::shared_ptr<connection_counts> counts_;
};

inline sql::connector counted(sql::connector connect, std::shared_ptr<connection_counts> counts) {
  return [connect = std::move(connect), counts = std::move(counts)] {
    return std::make_unique<counted_connection>(connect(), counts);
  };
}

} // namespace scratchpage::test
