#pragma once

#include <memory>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/sql_store.hpp"

namespace scratchpage {

/// A store all of whose calls are one transaction: nobody else sees any of it
/// before `commit`, and nothing is left of it without. For one thread; other
/// writers of the database wait until it ends.
class store_transaction {
public:
  /// Connects, begins, and brings the tables up to date. Error:
  /// `storage_unavailable`.
  static caf::expected<std::unique_ptr<store_transaction>> begin(const sql::connector& connect);

  store_transaction(const store_transaction&) = delete;
  store_transaction& operator=(const store_transaction&) = delete;
  ~store_transaction();

  store& in() { return *store_; }

  /// All of it, durable, or an error and nothing. The store is of no use after it.
  caf::error commit();

private:
  class shared_connection;

  store_transaction() = default;

  std::shared_ptr<sql::connection> db_; // null once it has ended
  std::unique_ptr<sql_store> store_;
  std::shared_ptr<bool> has_failed_ = std::make_shared<bool>(false);
};

} // namespace scratchpage
