#include "scratchpage/tests/persistence/store/every_store.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/store/postgres_connection.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/support/private_postgres.hpp"

namespace scratchpage::test {

sql::connector in_sqlite::connector() const {
  return sql::sqlite(dir_.path() / "pages.db");
}

in_postgres::in_postgres()
  : address_{private_postgres::shared().new_schema()} {}

sql::connector in_postgres::connector() const {
  return sql::postgres(address_);
}

std::unique_ptr<sql_store> open(const sql::connector& connector) {
  auto result = sql_store::open(connector);
  if (!result)
    BOOST_FAIL(describe(result.error()));
  return std::move(*result);
}

ownership claim(store& of, const std::string& agent_id) {
  auto result = of.claim(agent_id);
  if (!result)
    BOOST_FAIL(describe(result.error()));
  return *result;
}

} // namespace scratchpage::test
