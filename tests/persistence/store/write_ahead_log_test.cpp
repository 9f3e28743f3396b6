#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The growth of a database's write-ahead log.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

struct logged : temp_dir {
  fs::path file = path() / "store";
  std::unique_ptr<sql::connection> db = connect();

  logged() { db->script("CREATE TABLE note (number INTEGER PRIMARY KEY, text TEXT)"); }

  std::unique_ptr<sql::connection> connect(sql::sqlite_options with = {}) const {
    return sql::sqlite(file, std::move(with))();
  }

  uintmax_t length() const { return fs::file_size(file.string() + "-wal"); }

  void commit_to(sql::connection& to) {
    std::string text(100, 'x');
    std::array<sql::argument, 2> row{++last, &text};
    to.begin(true);
    to.run("INSERT INTO note VALUES ($1, $2)", row);
    to.commit();
  }

  /// Makes `commits` commits. Returns how many of them made the log longer.
  size_t growths_in(size_t commits, const std::vector<sql::connection*>& by) {
    size_t result = 0;
    for (size_t i = 0; i < commits; ++i) {
      auto before = length();
      commit_to(*by[i % by.size()]);
      result += length() != before ? 1u : 0u;
    }
    return result;
  }

  int64_t last = 0;
};

/// The number of rows, and the result of SQLite's integrity check.
std::string state_of(sql::connection& db) {
  std::string result;
  db.run("SELECT count(*) FROM note", {}, [&](const sql::row& x) { result = x.text(0); });
  db.run("PRAGMA integrity_check", {}, [&](const sql::row& x) { result += " " + x.text(0); });
  return result;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(write_ahead_log, logged)

BOOST_AUTO_TEST_CASE(commits_seldom_make_the_log_longer) {
  commit_to(*db);
  BOOST_TEST(growths_in(1'000, {db.get()}) <= 8u);
  BOOST_TEST(length() < 8u << 20);
}

BOOST_AUTO_TEST_CASE(a_log_that_was_moved_into_the_database_is_long_enough_ever_after) {
  growths_in(6'000, {db.get()}); // at least one checkpoint
  auto settled = length();
  BOOST_TEST(growths_in(6'000, {db.get()}) == 0u);
  BOOST_TEST(settled < 32u << 20);
}

BOOST_AUTO_TEST_CASE(writers_that_take_turns_do_not_outbid_each_other) {
  auto other = connect();
  BOOST_TEST(growths_in(2'000, {db.get(), other.get()}) <= 12u);
}

BOOST_AUTO_TEST_CASE(a_program_that_commits_once_leaves_its_commit_and_no_more) {
  db.reset();
  db = connect();
  commit_to(*db);
  BOOST_TEST(length() < 64u << 10);
}

BOOST_AUTO_TEST_CASE(who_only_reads_makes_no_room) {
  db->begin_reading();
  state_of(*db);
  auto before = length();
  db->commit();
  BOOST_TEST(length() == before);
}

BOOST_AUTO_TEST_CASE(a_log_that_is_not_synced_is_as_long_as_its_commits) {
  db.reset();
  db = connect({.synced = false});
  growths_in(20, {db.get()});
  BOOST_TEST(length() < 256u << 10);
}

BOOST_AUTO_TEST_CASE(the_room_is_no_commit_to_the_next_process) {
  growths_in(300, {db.get()});
  fs::create_directory(path() / "crashed");
  for (const auto* end : {"", "-wal"}) // the files after a crash
    fs::copy_file(file.string() + end, path() / "crashed" / (std::string{"store"} + end));
  auto next = sql::sqlite(path() / "crashed" / "store")();
  BOOST_TEST(state_of(*next) == "300 ok");
  next->script("INSERT INTO note VALUES (1000, 'y')");
  BOOST_TEST(state_of(*next) == "301 ok");
}

BOOST_AUTO_TEST_CASE(a_log_that_was_cut_off_grows_again) {
  growths_in(300, {db.get()});
  db->scrub({"note"});
  BOOST_TEST(length() == 0u);
  BOOST_TEST(growths_in(300, {db.get()}) <= 8u);
  BOOST_TEST(state_of(*db) == "600 ok");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
