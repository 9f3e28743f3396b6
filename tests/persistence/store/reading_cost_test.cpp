#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <sqlite3.h>

#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/persistence/store/every_store.hpp"
#include "scratchpage/tests/persistence/store/passing_connection.hpp"
#include "scratchpage/tests/persistence/store/store_samples.hpp"

/// What reading costs must not grow with what comes before it.

namespace scratchpage {

using namespace test;

namespace {

/// A connection to SQLite that counts the work of its queries, in steps of the virtual machine: it
/// executes each of them a second time.
class weighing_connection : public passing_connection {
public:
  weighing_connection(std::unique_ptr<sql::connection> db, std::filesystem::path file, int& steps)
    : passing_connection{std::move(db)},
      file_{std::move(file)},
      steps_{steps} {}

  int64_t run(const std::string& statement, std::span<const sql::argument> arguments,
    const std::function<void(const sql::row&)>& f) override {
    if (statement.starts_with("SELECT"))
      weigh(statement, arguments);
    return passing_connection::run(statement, arguments, f);
  }

private:
  void weigh(const std::string& statement, std::span<const sql::argument> arguments) {
    sqlite3* db = nullptr;
    BOOST_REQUIRE_EQUAL(sqlite3_open(file_.c_str(), &db), SQLITE_OK);
    sqlite3_stmt* prepared = nullptr;
    BOOST_REQUIRE_EQUAL(
      sqlite3_prepare_v2(db, statement.c_str(), -1, &prepared, nullptr), SQLITE_OK);
    for (size_t i = 0; i < arguments.size(); ++i)
      if (const auto* number = std::get_if<int64_t>(&arguments[i]))
        sqlite3_bind_int64(prepared, static_cast<int>(i) + 1, *number);
    while (sqlite3_step(prepared) == SQLITE_ROW) {
    }
    steps_ += sqlite3_stmt_status(prepared, SQLITE_STMTSTATUS_VM_STEP, 0);
    sqlite3_finalize(prepared);
    sqlite3_close(db);
  }

  std::filesystem::path file_;
  int& steps_;
};

/// Reads what follows `after` in a journal of `count` groups of two changes each. Returns the work,
/// and the first change of the group that was found; 0: none was.
std::pair<int, uint64_t> read_after(uint64_t after, uint64_t count) {
  temp_dir dir;
  auto file = dir.path() / "pages.db";
  auto filled = open(sql::sqlite(file));
  auto owner = claim(*filled);
  for (uint64_t i = 0; i < count; ++i)
    BOOST_REQUIRE(!append(*filled, next(owner, 2 * i, 2)));
  int steps = 0;
  auto tested =
    open([&] { return std::make_unique<weighing_connection>(sql::sqlite(file)(), file, steps); });
  steps = 0;
  uint64_t first = 0;
  BOOST_REQUIRE(!tested->read_journal(owner.agent, after, [&](journal_group&& x) {
    first = x.first;
    return false;
  }));
  return {steps, first};
}

} // namespace

BOOST_AUTO_TEST_SUITE(reading_cost)

BOOST_AUTO_TEST_CASE(reading_the_end_of_a_journal_costs_no_more_if_it_is_long) {
  for (uint64_t before_its_end : {0, 1, 2, 3}) { // in the middle of a group, or between two
    auto [steps, first] = read_after(20 - before_its_end, 10);
    auto [steps_of_long, first_of_long] = read_after(2'000 - before_its_end, 1'000);
    BOOST_TEST(steps > 0);
    BOOST_TEST(steps_of_long <= steps + 10, steps_of_long << " against " << steps);
    const uint64_t expected[] = {0, 19, 19, 17};
    BOOST_TEST(first == expected[before_its_end]);
    BOOST_TEST(first_of_long == (first == 0 ? 0 : first + 1'980));
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
