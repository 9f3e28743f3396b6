#pragma once

#include <memory>

#include <caf/expected.hpp>

#include "scratchpage/persistence/store/sql_store.hpp"

namespace scratchpage {

/// A store whose calls are all one transaction: nobody else sees any of them before `commit`, and
/// without `commit` all are rolled back. It is for one thread. Other writers of the database wait
/// until it ends.
class store_transaction {
public:
  /// Connects, begins the transaction and migrates the tables. Error: `storage_unavailable`.
  static caf::expected<std::unique_ptr<store_transaction>> begin(const sql::connector& connect);

  store_transaction(const store_transaction&) = delete;
  store_transaction& operator=(const store_transaction&) = delete;
  ~store_transaction();

  store& in() { return *store_; }

  /// Commits: everything is durable, or there is an error and nothing was done. Do not use the
  /// store after it.
  caf::error commit();

private:
  class shared_connection;

  store_transaction() = default;

  std::shared_ptr<sql::connection> db_; // null after the commit
  std::unique_ptr<sql_store> store_;
  std::shared_ptr<bool> has_failed_ = std::make_shared<bool>(false);
};

} // namespace scratchpage
