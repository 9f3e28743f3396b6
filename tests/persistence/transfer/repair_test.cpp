#include <fstream>
#include <map>
#include <random>

#include <boost/test/unit_test.hpp>

#include <SQLiteCpp/SQLiteCpp.h>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/files/data_directory.hpp"
#include "scratchpage/persistence/files/file_name.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/stored_files/file_versions.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"
#include "scratchpage/persistence/transfer/salvage.hpp"
#include "scratchpage/tests/persistence/transfer/random_history.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// Repairing damaged data directories: what is saved, and what is reported as lost.

namespace scratchpage::test {

namespace {

namespace fs = std::filesystem;

/// A data directory with the history of an agent, in commits of a few changes.
struct kept_directory : temp_dir {
  fs::path damaged = path() / "damaged";
  fs::path saved = path() / "saved";
  uint64_t last = 0;        // last sequence
  uint64_t last_number = 0; // last number of an observation
  size_t on_page = 0;

  kept_directory() {
    fs::create_directory(damaged);
    auto in = open(damaged);
    random_history ada{*in};
    for (int i = 0; i < 60; ++i) {
      std::vector<history_step> steps;
      for (int j = 0; j < 4; ++j)
        steps.emplace_back((i * 7 + j * 3) % 13, i + j, i * j);
      ada.play(steps);
    }
    last = ada.events().size();
    auto page = page_at(*in, ada.owner().agent, last);
    BOOST_REQUIRE(page);
    last_number = page->page.last_number;
    on_page = recover(*in, ada.owner(), 1)->observations.size();
  }

  static std::unique_ptr<sql_store> open(const fs::path& directory) {
    auto opened = sql_store::open(sql::sqlite(data_directory::database_in(directory)));
    BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : describe(opened.error())));
    return std::move(*opened);
  }

  void damage(const std::string& statement) const {
    SQLite::Database db{data_directory::database_in(damaged).string(), SQLite::OPEN_READWRITE};
    BOOST_TEST(db.exec(statement) > 0, statement);
  }

  salvage_report repaired() const {
    auto report = repair(damaged, saved);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    return std::move(*report);
  }

  std::string lost() const {
    std::string result;
    for (const auto& x : repaired().lost)
      result += x.what + " " + x.which + "\n";
    return result;
  }

  /// The page that a program recovers from the repaired directory.
  recovered_page page() const {
    auto in = open(saved);
    auto page = recover(*in, *in->claim("ada"), 100);
    BOOST_REQUIRE_MESSAGE(page, (page ? "" : describe(page.error())));
    BOOST_TEST(page->damage == "");
    return std::move(*page);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(repairs, kept_directory)

BOOST_AUTO_TEST_CASE(what_is_whole_comes_out_as_it_was) {
  auto report = repaired();
  BOOST_TEST(report.lost.empty());
  BOOST_TEST(report.changes == last);
  BOOST_TEST(report.observations == 0u);
  auto found = page();
  BOOST_TEST(found.sequence == last);
  BOOST_TEST(found.observations.size() == on_page);
  BOOST_TEST(!verify_database(data_directory::database_in(saved)));
}

BOOST_AUTO_TEST_CASE(damage_in_the_middle_of_the_journal_lets_history_begin_anew) {
  damage("UPDATE journal SET events = replace(events, 'something', 'Something') "
         "WHERE first_sequence <= 20 AND last_sequence >= 20");
  damage("DELETE FROM journal WHERE first_sequence <= 50 AND last_sequence >= 50");
  auto report = repaired();
  BOOST_TEST(report.lost.size() == 2u);
  for (const auto& x : report.lost)
    BOOST_TEST(x.what == "changes");
  BOOST_TEST(report.lost[0].why.find("the checksum does not fit") != std::string::npos);
  auto found = page();
  BOOST_TEST(found.sequence == last);
  BOOST_TEST(found.last_number >= last_number);
  constexpr size_t lost_at_most = 2 * 4; // two commits of at most four additions
  BOOST_TEST(found.observations.size() + lost_at_most >= on_page);
}

BOOST_AUTO_TEST_CASE(a_snapshot_makes_up_for_what_is_missing_before_it) {
  {
    auto in = open(damaged);
    BOOST_REQUIRE(
      advance_snapshot(*in, *in->claim("ada"), snapshot_kind::latest, last / 2, UINT64_MAX));
  }
  damage("DELETE FROM journal WHERE first_sequence <= 20 AND last_sequence >= 20");
  auto report = repaired();
  BOOST_REQUIRE(report.lost.size() == 1u);
  BOOST_TEST(report.lost[0].why.find("the page is complete") != std::string::npos);
  auto found = page();
  BOOST_TEST(found.observations.size() == on_page);
  BOOST_TEST(found.sequence == last);
}

BOOST_AUTO_TEST_CASE(a_damaged_snapshot_is_made_again_from_the_journal) {
  {
    auto in = open(damaged);
    BOOST_REQUIRE(
      advance_snapshot(*in, *in->claim("ada"), snapshot_kind::latest, last, UINT64_MAX));
  }
  damage("UPDATE snapshot_row SET event = event || ' '");
  BOOST_TEST(lost() == "");
  BOOST_TEST(page().observations.size() == on_page);
}

BOOST_AUTO_TEST_CASE(a_snapshot_whose_head_was_changed_is_made_again_from_the_journal) {
  {
    auto in = open(damaged);
    BOOST_REQUIRE(
      advance_snapshot(*in, *in->claim("ada"), snapshot_kind::latest, last / 2, UINT64_MAX));
  }
  damage("UPDATE snapshot SET sequence = sequence + 5");
  BOOST_TEST(lost() == "");
  BOOST_TEST(page().observations.size() == on_page);
}

BOOST_AUTO_TEST_CASE(a_snapshot_that_lacks_rows_does_not_make_up_for_missing_changes) {
  {
    auto in = open(damaged);
    BOOST_REQUIRE(
      advance_snapshot(*in, *in->claim("ada"), snapshot_kind::latest, last, UINT64_MAX));
  }
  damage("DELETE FROM snapshot_row WHERE number = (SELECT max(number) FROM snapshot_row)");
  BOOST_TEST(lost() == ""); // the journal is complete
  fs::remove_all(saved);
  damage("DELETE FROM journal WHERE first_sequence <= 20 AND last_sequence >= 20");
  auto told = lost();
  BOOST_TEST(told.find("changes ") != std::string::npos, told);
  BOOST_TEST(told.find("observation of a snapshot") != std::string::npos, told);
}

BOOST_AUTO_TEST_CASE(a_damaged_end_gives_no_number_again) {
  damage("UPDATE journal SET checksum = 7 WHERE last_sequence = " + std::to_string(last));
  auto report = repaired();
  BOOST_REQUIRE(report.lost.size() == 1u);
  auto found = page();
  BOOST_TEST(found.sequence == last);
  BOOST_TEST(found.last_number >= last_number);
}

BOOST_AUTO_TEST_CASE(a_missing_end_is_told_and_gives_no_number_again) {
  damage("DELETE FROM journal WHERE last_sequence = " + std::to_string(last));
  auto report = repaired();
  BOOST_REQUIRE(report.lost.size() == 1u);
  BOOST_TEST(report.lost[0].what == "changes");
  BOOST_TEST(report.lost[0].which.ends_with(std::to_string(last)));
  auto found = page();
  BOOST_TEST(found.sequence == last);
  BOOST_TEST(found.last_number >= last_number);
}

BOOST_AUTO_TEST_CASE(a_document_and_an_archive_row_are_lost_alone) {
  damage("UPDATE document SET body = body || ' ' WHERE collection = 'goals' AND name = 'goal_1'");
  damage("UPDATE archive SET body = replace(body, 'trip', 'trap') WHERE sequence = "
         "(SELECT max(sequence) FROM archive)");
  auto report = repaired();
  BOOST_REQUIRE(report.lost.size() == 2u);
  BOOST_TEST(report.lost[0].what == "archived");
  BOOST_TEST(report.lost[1].which == "goals/goal_1");
  BOOST_TEST(page().observations.size() == on_page);
}

BOOST_AUTO_TEST_CASE(documents_and_archive_rows_that_are_missing_are_told) {
  damage("DELETE FROM document WHERE collection = 'goals' AND name = 'goal_1'");
  damage("DELETE FROM archive WHERE sequence = (SELECT max(sequence) FROM archive)");
  auto told = lost();
  BOOST_TEST(told == "archived some\ndocument some of goals\n");
  BOOST_TEST(page().observations.size() == on_page);
}

/// Missing and older files are reported. In the new directory they begin again without a version.
BOOST_AUTO_TEST_CASE(files_that_are_missing_or_older_are_told_and_begin_anew) {
  std::string older;
  {
    auto in = std::shared_ptr<store>{open(damaged)};
    versioned_files files{
      std::make_unique<directory_files>(data_directory::files_in(damaged) / file_name_for("ada")),
      in, *in->claim("ada")};
    for (uint64_t i = 1; i <= 2; ++i)
      for (const auto* path :
        {"scratchbook/gone.json", "scratchbook/old.json", "scratchbook/x.json"}) {
        auto book = to_book_file({{"items", json::array{}}}, i);
        older = i == 1 ? book.text : older;
        BOOST_REQUIRE(!files.write_version(path, book.text, book.version));
      }
  }
  auto folder = data_directory::files_in(damaged) / file_name_for("ada") / "scratchbook";
  fs::remove(folder / "gone.json");
  std::ofstream{folder / "old.json", std::ios::binary | std::ios::trunc} << older;
  BOOST_TEST(lost() == "file scratchbook/gone.json\nfile scratchbook/old.json\n");
  auto in = open(saved);
  BOOST_TEST(!*find_version(*in, 1, "scratchbook/old.json"));
}

BOOST_AUTO_TEST_CASE(of_a_compressed_archive_all_is_saved_but_the_damaged_pack) {
  auto bodies = [](store& in) {
    std::map<uint64_t, std::string> result;
    BOOST_REQUIRE(!in.read_archive(1, {}, [&](archive_row&& x) {
      result.emplace(x.sequence, x.body);
      return true;
    }));
    return result;
  };
  std::map<uint64_t, std::string> before;
  {
    auto in = open(damaged);
    before = bodies(*in);
    auto owner = in->claim("ada");
    BOOST_REQUIRE(owner);
    auto packed = in->pack_archive(*owner, timestamp::max(), before.size() / 2);
    BOOST_REQUIRE(packed);
    BOOST_TEST(*packed == before.size() / 2);
  }
  BOOST_TEST(repaired().lost.empty());
  BOOST_TEST((bodies(*open(saved)) == before));

  fs::remove_all(saved);
  damage("UPDATE archive_pack SET bodies = x'00'");
  auto report = repaired();
  BOOST_TEST(report.lost.size() == before.size() / 2);
  BOOST_TEST(bodies(*open(saved)).size() == before.size() - before.size() / 2);
  BOOST_TEST(page().observations.size() == on_page);
}

BOOST_AUTO_TEST_CASE(an_agent_without_a_name_gets_one) {
  damage("DELETE FROM agent");
  auto report = repaired();
  BOOST_REQUIRE(report.lost.size() == 1u);
  BOOST_TEST(report.lost[0].agent_id == "recovered-1");
  BOOST_TEST(report.changes == last);
}

BOOST_AUTO_TEST_CASE(the_damaged_directory_is_only_read) {
  auto text = [&](const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    return std::string{std::istreambuf_iterator<char>{in}, {}};
  };
  std::map<std::string, std::string> before;
  for (const auto& x : fs::directory_iterator{damaged})
    before[x.path().filename()] = text(x.path());
  fs::permissions(damaged, fs::perms::owner_read | fs::perms::owner_exec);
  auto report = repaired();
  fs::permissions(damaged, fs::perms::owner_all);
  std::map<std::string, std::string> after;
  for (const auto& x : fs::directory_iterator{damaged})
    after[x.path().filename()] = text(x.path());
  BOOST_TEST((after == before));
}

BOOST_AUTO_TEST_CASE(what_is_in_the_log_only_is_saved_too) {
  auto in = open(damaged); // an open store keeps the log
  random_history bob{*in, "bob"};
  bob.play({{0, 0, 0}, {0, 0, 0}});
  auto report = repaired();
  BOOST_TEST(report.agents == 2u);
  BOOST_TEST(report.changes == last + 2);
}

BOOST_AUTO_TEST_CASE(it_is_told_who_uses_the_directory_or_that_there_is_a_database) {
  {
    auto taken = data_directory::open(damaged);
    auto report = repair(damaged, saved);
    BOOST_REQUIRE(!report);
    BOOST_TEST(describe(report.error()).find(" uses it") != std::string::npos);
    BOOST_TEST(!fs::exists(saved));
  }
  auto report = repair(saved / "x", damaged);
  BOOST_REQUIRE(!report);
  BOOST_TEST(describe(report.error()).find("--into: expected a directory without a database")
             != std::string::npos);
}

/// Random damage: the repaired database opens, is intact, and has no id twice.
BOOST_AUTO_TEST_CASE(bytes_changed_at_random_cost_what_they_hit) {
  auto whole = data_directory::database_in(damaged);
  { SQLite::Database{whole.string(), SQLite::OPEN_READWRITE}.exec("PRAGMA journal_mode = DELETE"); }
  auto size = fs::file_size(whole);
  size_t saved_some = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    auto where = path() / ("damaged" + std::to_string(seed));
    fs::create_directory(where);
    fs::copy_file(whole, data_directory::database_in(where));
    {
      std::mt19937_64 random{seed};
      std::fstream file{
        data_directory::database_in(where), std::ios::binary | std::ios::in | std::ios::out};
      for (unsigned i = 0; i < 1 + seed * 4; ++i) { // never the first page
        file.seekp(static_cast<std::streamoff>(4096 + random() % (size - 4096)));
        file.put(static_cast<char>(random()));
      }
    }
    auto into = path() / ("saved" + std::to_string(seed));
    auto report = repair(where, into);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    BOOST_TEST(!verify_database(data_directory::database_in(into)));
    auto in = open(into);
    auto agents = in->agents();
    BOOST_REQUIRE(agents);
    for (const auto& agent_id : *agents) {
      auto owner = in->claim(agent_id);
      BOOST_REQUIRE_MESSAGE(
        owner, "seed " << seed << ": " << (owner ? "" : describe(owner.error())));
      auto page = recover(*in, *owner, 100);
      BOOST_REQUIRE_MESSAGE(page, "seed " << seed << ": " << (page ? "" : describe(page.error())));
      BOOST_TEST(page->damage == "");
      saved_some += page->observations.empty() ? 0 : 1;
      for (const auto& [number, x] : page->observations) {
        BOOST_TEST(number_of(x->observation_id).value() == number);
        BOOST_TEST(number <= page->last_number);
      }
      if (agent_id == "ada") {
        BOOST_TEST(page->last_number >= last_number);
        BOOST_TEST(page->sequence >= last);
      }
    }
  }
  BOOST_TEST(saved_some >= 30u);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_database_is_told) {
  std::ofstream{data_directory::database_in(damaged), std::ios::binary} << std::string(10'000, 'x');
  auto report = repair(damaged, saved);
  BOOST_REQUIRE(!report);
  BOOST_TEST(describe(report.error()).find("cannot be read") != std::string::npos);
  BOOST_TEST(!fs::exists(saved));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
