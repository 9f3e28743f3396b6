#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sqlite3.h>

#include "scratchpage/tests/disk/disk_store.hpp"
#include "scratchpage/tests/support/faulty_disk.hpp"

/// SQLite on a faulty disk.

namespace scratchpage::test {

namespace {

using connection_ptr = std::unique_ptr<sql::connection>;

connection_ptr connect(faulty_disk& to) {
  return store_on(to)();
}

connection_ptr with_table(faulty_disk& on) {
  auto db = connect(on);
  db->script("CREATE TABLE IF NOT EXISTS t (x BIGINT)");
  return db;
}

void insert(sql::connection& db, int64_t x) {
  sql::argument one = x;
  db.run("INSERT INTO t (x) VALUES ($1)", {&one, 1});
}

/// The last row's first column; -1 if there is no row.
int64_t ask(sql::connection& db, const std::string& question) {
  int64_t answer = -1;
  db.run(question, {}, [&](const sql::row& x) { answer = x.integer(0); });
  return answer;
}

int64_t rows(sql::connection& db) {
  return ask(db, "SELECT COUNT(*) FROM t");
}

std::string mode(sql::connection& db) {
  std::string answer;
  db.run("PRAGMA journal_mode", {}, [&](const sql::row& x) { answer = x.text(0); });
  return answer;
}

/// A file that is opened with the VFS, as SQLite opens it.
class raw_file {
public:
  explicit raw_file(faulty_disk& on) {
    auto* vfs = sqlite3_vfs_find(on.vfs().c_str());
    memory_.resize(static_cast<size_t>(vfs->szOsFile) / sizeof(void*) + 1);
    auto flags = SQLITE_OPEN_CREATE | SQLITE_OPEN_READWRITE | SQLITE_OPEN_MAIN_DB;
    BOOST_REQUIRE(vfs->xOpen(vfs, "file", *this, flags, nullptr) == SQLITE_OK);
  }
  ~raw_file() { (*this)->xClose(*this); }
  raw_file(const raw_file&) = delete;
  raw_file& operator=(const raw_file&) = delete;

  operator sqlite3_file*() { return reinterpret_cast<sqlite3_file*>(memory_.data()); }
  const sqlite3_io_methods* operator->() { return static_cast<sqlite3_file*>(*this)->pMethods; }

private:
  std::vector<void*> memory_;
};

/// The error text of a failing call; "" if it works.
std::string complaint(const std::function<void()>& f) {
  try {
    f();
    return "";
  } catch (const std::exception& err) {
    return err.what();
  }
}

std::string complaint_of_insert(sql::connection& db) {
  return complaint([&] { insert(db, 1); });
}

/// The number of ten acknowledged commits that a power cut leaves; -1 if the database cannot be
/// read.
int64_t left_of_ten(uint64_t seed, const char* setting) {
  faulty_disk disk{seed};
  {
    auto db = with_table(disk);
    db->script(setting);
    for (int64_t x = 1; x <= 10; ++x)
      insert(*db, x);
    disk.cut_power();
  }
  disk.restart();
  int64_t left = -1;
  complaint([&] { left = rows(*connect(disk)); });
  return left;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_faulty_disk)

BOOST_AUTO_TEST_CASE(has_a_database_with_a_log_for_several_connections) {
  faulty_disk disk{1};
  auto writer = with_table(disk);
  auto reader = connect(disk);
  BOOST_TEST(mode(*reader) == "wal");
  insert(*writer, 7);
  BOOST_TEST(ask(*reader, "SELECT x FROM t") == 7);
  BOOST_TEST(disk.read("store-wal").size() > 4'096u);
}

BOOST_AUTO_TEST_CASE(fills_with_zeros_what_is_read_beyond_the_end) {
  faulty_disk disk{1};
  raw_file file{disk};
  std::string read(4, 'x');
  BOOST_TEST(file->xWrite(file, "ab", 2, 1) == SQLITE_OK);
  BOOST_TEST(file->xRead(file, read.data(), 4, 1) == SQLITE_IOERR_SHORT_READ);
  BOOST_TEST(read == std::string("ab\0\0", 4));
  BOOST_TEST(file->xRead(file, read.data(), 3, 0) == SQLITE_OK);
  BOOST_TEST(read == std::string("\0ab\0", 4));
}

BOOST_AUTO_TEST_CASE(claims_nothing_but_what_its_traits_say) {
  faulty_disk bare{1};
  raw_file file{bare};
  BOOST_TEST(file->xDeviceCharacteristics(file) == 0);
  BOOST_TEST(file->xSectorSize(file) == 512);
  faulty_disk safer{1, {.overwrites_safely = true}};
  raw_file other{safer};
  BOOST_TEST(other->xDeviceCharacteristics(other) == SQLITE_IOCAP_POWERSAFE_OVERWRITE);
}

BOOST_AUTO_TEST_CASE(lets_one_connection_write_at_a_time) {
  faulty_disk disk{1};
  auto first = with_table(disk);
  auto second = connect(disk);
  first->begin(false);
  BOOST_TEST(complaint([&] { second->begin(false); }) == "database is locked");
  insert(*first, 1);
  BOOST_TEST(rows(*second) == 0);
  first->commit();
  second->begin(false);
  BOOST_TEST(rows(*second) == 1);
  second->rollback();
}

BOOST_AUTO_TEST_CASE(has_no_log_after_the_last_connection_has_closed) {
  faulty_disk disk{1};
  insert(*with_table(disk), 1);
  BOOST_TEST(disk.read("store-wal") == "");
  BOOST_TEST(rows(*connect(disk)) == 1);
}

BOOST_AUTO_TEST_CASE(has_everything_after_a_process_was_killed) {
  faulty_disk disk{1};
  auto db = with_table(disk);
  db->script("PRAGMA synchronous = OFF");
  insert(*db, 1);
  disk.kill();
  disk.restart();
  BOOST_TEST(disk.figures().kills == 1u);
  BOOST_TEST(rows(*connect(disk)) == 1);
}

BOOST_AUTO_TEST_CASE(does_nothing_more_for_a_process_that_is_dead) {
  faulty_disk disk{1};
  auto db = with_table(disk);
  disk.cut_power();
  BOOST_TEST(disk.is_dead());
  BOOST_TEST(complaint_of_insert(*db) == "disk I/O error");
  BOOST_TEST(complaint([&] { connect(disk); }) == "the disk cannot be seen");
  disk.restart();
  BOOST_TEST(complaint_of_insert(*db) == "disk I/O error");
  BOOST_TEST(complaint_of_insert(*connect(disk)) == "");
}

BOOST_AUTO_TEST_CASE(fails_the_write_the_sync_and_the_read_that_were_named) {
  faulty_disk disk{1};
  auto db = with_table(disk);
  disk.plan({.write_error_at = 3});
  BOOST_TEST(complaint_of_insert(*db) == "disk I/O error");
  BOOST_TEST(complaint_of_insert(*db) == "");
  disk.plan({.sync_error_at = 1});
  BOOST_TEST(complaint_of_insert(*db) == "disk I/O error");
  disk.plan({.read_error_at = 1});
  BOOST_TEST(complaint([&] { rows(*connect(disk)); }) == "disk I/O error");
  BOOST_TEST(rows(*connect(disk)) == 1);
  auto figures = disk.figures();
  BOOST_TEST(figures.write_errors == 1u);
  BOOST_TEST(figures.sync_errors == 1u);
  BOOST_TEST(figures.read_errors == 1u);
}

BOOST_AUTO_TEST_CASE(is_full_until_it_is_healed) {
  faulty_disk disk{1};
  auto db = with_table(disk);
  disk.plan({.full_at = 2});
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(complaint_of_insert(*db) == "database or disk is full");
  BOOST_TEST(rows(*db) == 0);
  disk.heal();
  BOOST_TEST(complaint_of_insert(*db) == "");
}

BOOST_AUTO_TEST_CASE(is_full_for_so_many_writes) {
  faulty_disk disk{1};
  auto db = with_table(disk);
  disk.plan({.full_at = 1, .full_for = 2});
  BOOST_TEST(complaint_of_insert(*db) == "database or disk is full");
  BOOST_TEST(complaint_of_insert(*db) == "database or disk is full");
  BOOST_TEST(complaint_of_insert(*db) == "");
}

BOOST_AUTO_TEST_CASE(crashes_at_the_write_or_sync_that_was_named) {
  faulty_disk disk{1};
  auto db = with_table(disk);
  auto before = disk.figures();
  disk.plan({.cut_power_at = 4});
  BOOST_TEST(complaint_of_insert(*db) == "disk I/O error");
  auto after = disk.figures();
  BOOST_TEST(after.power_cuts == 1u);
  BOOST_TEST(after.writes + after.syncs == before.writes + before.syncs + 4);
}

BOOST_AUTO_TEST_CASE(loses_no_commit_that_was_synced) {
  for (uint64_t seed = 0; seed < 100; ++seed)
    BOOST_TEST(left_of_ten(seed, "PRAGMA synchronous = FULL") == 10);
}

BOOST_AUTO_TEST_CASE(loses_some_commits_that_were_not) {
  std::map<int64_t, int> found;
  for (uint64_t seed = 0; seed < 100; ++seed)
    ++found[left_of_ten(seed, "PRAGMA synchronous = OFF")];
  BOOST_TEST(found[10] > 0);
  BOOST_TEST(found[10] < 80);
  BOOST_TEST(found.size() > 3u, "sometimes some, sometimes all");
}

BOOST_AUTO_TEST_CASE(does_the_same_for_the_same_seed) {
  auto left = [] {
    faulty_disk disk{5};
    auto db = with_table(disk);
    disk.plan({.cut_power_at = 20});
    while (complaint_of_insert(*db).empty())
      ;
    disk.restart();
    return disk.read("store-wal") + disk.read("store");
  };
  BOOST_TEST((left() == left()));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
