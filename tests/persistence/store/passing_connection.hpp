#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::test {

/// A connection that passes everything on, for tests that look at some of it.
class passing_connection : public sql::connection {
public:
  explicit passing_connection(std::unique_ptr<sql::connection> db)
    : db_{std::move(db)} {}

  sql::dialect dialect() const override { return db_->dialect(); }
  std::string type_of_bytes() const override { return db_->type_of_bytes(); }
  std::string random_number() const override { return db_->random_number(); }
  void script(const std::string& statements) override { db_->script(statements); }
  int64_t run(const std::string& statement, std::span<const sql::argument> arguments,
    const std::function<void(const sql::row&)>& f) override {
    return db_->run(statement, arguments, f);
  }
  void begin(bool exclusive) override { db_->begin(exclusive); }
  void begin_reading() override { db_->begin_reading(); }
  void commit() override { db_->commit(); }
  void rollback() noexcept override { db_->rollback(); }
  void scrub(const std::vector<std::string>& tables) override { db_->scrub(tables); }
  bool is_alive() const override { return db_->is_alive(); }

private:
  std::unique_ptr<sql::connection> db_;
};

} // namespace scratchpage::test
