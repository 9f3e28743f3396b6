#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/transfer/salvage.hpp"
#include "scratchpage/tests/persistence/transfer/random_history.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// The store notices and reports what SQLite drops of a damaged log.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t changes = 30; // each is a commit

std::string bytes_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void set_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream{file, std::ios::binary | std::ios::trunc} << bytes;
}

/// A data directory that a killed process has left: its changes are only in the log.
struct left_behind : temp_dir {
  fs::path home = path() / "home";
  fs::path database = data_directory::database_in(home);
  fs::path log = database.string() + "-wal";
  fs::path mark_file = database.string() + "-mark";

  left_behind() {
    auto living = path() / "living";
    fs::create_directory(living);
    fs::create_directory(home);
    auto opened = sql_store::open(sql::sqlite(data_directory::database_in(living)),
      std::make_shared<commit_mark>(data_directory::database_in(living)));
    BOOST_REQUIRE(opened);
    random_history ada{**opened};
    for (uint64_t i = 0; i < changes; ++i)
      ada.play(std::vector{history_step{0, static_cast<int>(i), 0}});
    for (const auto* end : {"", "-wal", "-mark"})
      fs::copy_file(data_directory::database_in(living).string() + end, database.string() + end);
  }

  std::shared_ptr<commit_mark> mark = std::make_shared<commit_mark>(database);

  caf::expected<std::unique_ptr<sql_store>> open() {
    return sql_store::open(sql::sqlite(database), mark);
  }

  void run(const std::string& statements) const {
    SQLite::Database{database.string(), SQLite::OPEN_READWRITE}.exec(statements);
  }

  /// Changes the database to form 4: without sums, and with the column `commits`.
  void make_form_4() const {
    run("ALTER TABLE agent RENAME COLUMN commit_count TO commits; "
        "ALTER TABLE agent DROP COLUMN archive_sum; DROP TABLE document_sum; "
        "ALTER TABLE snapshot DROP COLUMN row_sum; ALTER TABLE snapshot DROP COLUMN checksum; "
        "UPDATE schema_version SET version = 4");
  }

  /// Flips one bit in the middle of the log.
  void damage_log() const {
    auto bytes = bytes_of(log);
    auto end = bytes.find_last_not_of('\0');
    bytes[end / 2] = static_cast<char>(bytes[end / 2] ^ 1);
    set_bytes(log, bytes);
  }

  std::string refusal() {
    auto opened = open();
    BOOST_REQUIRE(!opened);
    BOOST_TEST((code_of(opened.error()) == errc::internal));
    return describe(opened.error());
  }

  uint64_t last_sequence() {
    auto opened = open();
    BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : describe(opened.error())));
    return recover(**opened, *(**opened).claim("ada"), 1)->sequence;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_database_is_not_opened, left_behind)

BOOST_AUTO_TEST_CASE(if_its_log_has_lost_what_was_acknowledged) {
  damage_log();
  auto told = refusal();
  BOOST_TEST(told.find("of 'ada' the changes ") != std::string::npos, told);
  BOOST_TEST(told.find("to " + std::to_string(changes) + " (") != std::string::npos, told);
  BOOST_TEST(told.find("scratchpage repair") != std::string::npos, told);
}

BOOST_AUTO_TEST_CASE(if_its_log_is_gone) {
  fs::remove(log);
  BOOST_TEST(refusal().find("'ada' the changes 1 to 30") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(if_an_older_copy_has_taken_its_place) {
  auto older_database = bytes_of(database);
  auto older_log = bytes_of(log);
  {
    auto in = open();
    BOOST_REQUIRE(in);
    BOOST_REQUIRE((**in).claim("ada"));
  }
  set_bytes(database, older_database);
  set_bytes(log, older_log);
  BOOST_TEST(
    refusal().find("of 'ada' 1 commit of goals, facts or other documents") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(if_a_commit_is_missing_that_an_earlier_version_has_made) {
  make_form_4();
  run("UPDATE agent SET commits = commits - 1");
  BOOST_TEST(
    refusal().find("of 'ada' 1 commit of goals, facts or other documents") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(and_stays_as_it_is_for_whoever_looks_at_it) {
  damage_log();
  auto before = bytes_of(log);
  auto mark_before = bytes_of(mark_file);
  refusal();
  BOOST_TEST((bytes_of(log) == before));
  BOOST_TEST((bytes_of(mark_file) == mark_before));
  refusal();
}

BOOST_AUTO_TEST_CASE(but_repaired_and_says_what_is_missing) {
  damage_log();
  auto report = repair(home, path() / "saved");
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(report->lost.size() == 1u);
  BOOST_TEST(report->lost.front().agent_id == "ada");
  BOOST_TEST(report->lost.front().what == "changes");
  BOOST_TEST(report->lost.front().which.ends_with("to 30"), report->lost.front().which);
  database = data_directory::database_in(path() / "saved");
  mark = std::make_shared<commit_mark>(database);
  BOOST_TEST(last_sequence() == changes); // no sequence is used again
  BOOST_TEST(mark->problem() == "");
}

BOOST_AUTO_TEST_CASE(and_an_agent_of_which_nothing_is_left_is_named_by_a_repair) {
  fs::remove(log);
  fs::remove(database);
  { auto made = sql_store::open(sql::sqlite(database)); }
  auto report = repair(home, path() / "saved");
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_REQUIRE(report->lost.size() == 1u);
  BOOST_TEST(report->lost.front().agent_id == "ada");
  BOOST_TEST(report->lost.front().which == "1 to 30");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(a_database_is_opened, left_behind)

BOOST_AUTO_TEST_CASE(by_the_next_process_with_all_that_was_acknowledged) {
  BOOST_TEST(last_sequence() == changes);
  BOOST_TEST(last_sequence() == changes);
  BOOST_TEST(mark->problem() == "");
}

BOOST_AUTO_TEST_CASE(that_an_earlier_version_has_written) {
  make_form_4();
  BOOST_TEST(last_sequence() == changes);
  BOOST_TEST(mark->problem() == "");
}

BOOST_AUTO_TEST_CASE(that_an_earlier_version_has_written_after_a_repair) {
  make_form_4();
  auto report = repair(home, path() / "saved");
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(report->lost.empty());
  BOOST_TEST(report->changes == changes);
}

BOOST_AUTO_TEST_CASE(whose_mark_is_older_than_its_log) {
  auto older = bytes_of(mark_file);
  BOOST_TEST(last_sequence() == changes);
  set_bytes(mark_file, older);
  BOOST_TEST(last_sequence() == changes);
  BOOST_TEST(mark->problem() == "");
}

BOOST_AUTO_TEST_CASE(whose_mark_is_torn_and_it_is_told) {
  auto bytes = bytes_of(mark_file);
  for (size_t i = 512; i < bytes.size(); i += 512)
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
  set_bytes(mark_file, bytes);
  BOOST_TEST(last_sequence() == changes);
  BOOST_TEST(mark->problem().find("is damaged in 2 places") != std::string::npos, mark->problem());
  last_sequence();
  BOOST_TEST(mark->problem() == "");
}

BOOST_AUTO_TEST_CASE(whose_mark_is_gone_and_it_is_told_once) {
  fs::remove(mark_file);
  BOOST_TEST(last_sequence() == changes);
  BOOST_TEST(mark->problem().find("is missing") != std::string::npos, mark->problem());
  last_sequence();
  BOOST_TEST(mark->problem() == "");
}

BOOST_AUTO_TEST_CASE(whose_changes_were_cut_off_on_purpose) {
  {
    auto in = open();
    BOOST_REQUIRE(in);
    auto owner = (**in).claim("ada");
    BOOST_REQUIRE(owner);
    BOOST_TEST(!(**in).cut_journal(*owner, 10));
  }
  BOOST_TEST(last_sequence() == 10u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
