#include "scratchpage/persistence/store/store_transaction.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

/// Passes statements on, but does not begin or end transactions.
class store_transaction::shared_connection : public sql::connection {
public:
  shared_connection(std::shared_ptr<sql::connection> db, std::shared_ptr<bool> has_failed)
    : db_{std::move(db)},
      has_failed_{std::move(has_failed)} {}

  sql::dialect dialect() const override { return db_->dialect(); }
  std::string type_of_bytes() const override { return db_->type_of_bytes(); }
  std::string random_number() const override { return db_->random_number(); }
  void script(const std::string& statements) override { db_->script(statements); }
  int64_t run(const std::string& statement, std::span<const sql::argument> arguments,
    const std::function<void(const sql::row&)>& f) override {
    return db_->run(statement, arguments, f);
  }
  void begin(bool) override {}
  void begin_reading() override {}
  void commit() override {}
  /// A rollback of one call makes the whole transaction fail.
  void rollback() noexcept override { *has_failed_ = true; }
  void scrub(const std::vector<std::string>&) override {} // not possible in a transaction
  bool is_alive() const override { return db_->is_alive(); }

private:
  std::shared_ptr<sql::connection> db_;
  std::shared_ptr<bool> has_failed_;
};

caf::expected<std::unique_ptr<store_transaction>> store_transaction::begin(
  const sql::connector& connect) {
  std::unique_ptr<store_transaction> result{new store_transaction};
  try {
    result->db_ = connect();
    result->db_->begin(true);
  } catch (const std::exception& x) {
    return fail(errc::storage_unavailable, "", x.what());
  }
  auto shared = [db = result->db_, failed = result->has_failed_] {
    return std::make_unique<shared_connection>(db, failed);
  };
  auto opened = sql_store::open(shared);
  if (!opened)
    return opened.error();
  result->store_ = std::move(*opened);
  return result;
}

store_transaction::~store_transaction() {
  if (db_)
    db_->rollback();
}

caf::error store_transaction::commit() {
  if (*has_failed_)
    return fail(errc::storage_unavailable, "", "a write of the transaction has failed");
  try {
    db_->commit();
    db_.reset();
    store_.reset(); // closes the database
    return {};
  } catch (const std::exception& x) {
    return fail(errc::storage_unavailable, "", x.what());
  }
}

} // namespace scratchpage
