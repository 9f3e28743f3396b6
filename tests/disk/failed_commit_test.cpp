#include <boost/test/unit_test.hpp>

#include <array>
#include <memory>
#include <string>
#include <tuple>

#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/tests/disk/disk_store.hpp"
#include "scratchpage/tests/support/faulty_disk.hpp"

/// The rest of a failed commit in the log does not harm later commits. On
/// Linux, a later sync does not repeat a failed one: all processes see what was written
/// before, but it may never reach the disk.

namespace scratchpage::test {

namespace {

constexpr uint64_t commit_seeds = 200;

std::unique_ptr<sql_store> open(faulty_disk& on) {
  auto opened = sql_store::open(store_on(on));
  BOOST_REQUIRE(opened);
  return std::move(*opened);
}

bool put(store& to, const ownership& by, const std::string& key) {
  auto x = make_document(collection::facts, key, "1");
  return !to.put(by, {&x, 1});
}

bool has(store& x, const ownership& by, const std::string& key) {
  auto found = false;
  auto err = x.read_documents(by.agent, "facts", [&](document&& one) {
    found = found || one.key == key;
    return true;
  });
  return found && !err;
}

/// A process whose commit of "in doubt" has failed.
struct failed_commit {
  failed_commit(uint64_t seed, disk_traits traits, const disk_faults& faults)
    : disk{seed, traits},
      pages{open(disk)},
      by{*pages->claim("ada")} {
    BOOST_TEST(put(*pages, by, "first"));
    disk.plan(faults);
    BOOST_TEST(!put(*pages, by, "in doubt"));
  }

  void start_next_process() {
    disk.kill();
    pages.reset();
    disk.restart();
    pages = open(disk);
  }

  faulty_disk disk;
  std::unique_ptr<sql_store> pages;
  ownership by;
};

/// The result of SQLite's integrity check.
std::string state_of(faulty_disk& x) {
  std::string found;
  auto db = store_on(x)();
  db->run("PRAGMA integrity_check", {}, [&](const sql::row& one) { found += one.text(0); });
  return found;
}

/// Runs a process that commits "first", then fails to sync a commit that changes many pages, and
/// is killed.
ownership commit_and_fail_to_commit(faulty_disk& disk) {
  auto pages = open(disk);
  auto by = *pages->claim("ada");
  auto agent = static_cast<int64_t>(by.agent);
  auto db = store_on(disk)();
  BOOST_TEST(put(*pages, by, "first"));
  db->begin(false);
  disk.plan({.sync_error_at = 1});
  for (int i = 0; i < 50; ++i) {
    auto name = std::to_string(i);
    std::array<sql::argument, 2> arguments{agent, &name};
    db->run("INSERT INTO document (agent, collection, name, body, checksum) "
            "VALUES ($1, 'facts', $2, hex(zeroblob(450)), 0)",
      arguments);
  }
  BOOST_CHECK_THROW(db->commit(), sql::failure);
  disk.kill();
  db.reset();
  pages.reset();
  disk.restart();
  return by;
}

bool survives_power_cut(failed_commit& x, const std::string& key) {
  x.disk.cut_power();
  x.pages.reset();
  x.disk.restart();
  return has(*open(x.disk), x.by, key);
}

} // namespace

BOOST_AUTO_TEST_SUITE(after_a_failed_commit)

BOOST_AUTO_TEST_CASE(the_same_process_keeps_what_it_commits) {
  for (uint64_t seed = 0; seed < commit_seeds; ++seed) {
    failed_commit x{seed, as_linux_has, {.sync_error_at = 1}};
    BOOST_TEST(put(*x.pages, x.by, "last"));
    BOOST_TEST(survives_power_cut(x, "last"), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(the_next_process_keeps_what_it_commits) {
  for (uint64_t seed = 0; seed < commit_seeds; ++seed) {
    failed_commit x{seed, as_linux_has, {.sync_error_at = 1}};
    x.start_next_process();
    x.by = *x.pages->claim("ada");
    BOOST_TEST(put(*x.pages, x.by, "last"));
    BOOST_TEST(survives_power_cut(x, "last"), "seed " << seed);
  }
}

/// Data that is only in the system's cache must not get into the database in part.
BOOST_AUTO_TEST_CASE(the_next_process_may_lose_power_at_any_moment_of_its_start) {
  for (uint64_t at = 1; at < 60; ++at)
    for (uint64_t seed = 0; seed < commit_seeds / 10; ++seed) {
      faulty_disk disk{seed, as_linux_has};
      auto by = commit_and_fail_to_commit(disk);
      disk.plan({.cut_power_at = at});
      if (auto opened = sql_store::open(store_on(disk)))
        std::ignore = (**opened).claim("ada");
      disk.cut_power();
      disk.restart();
      BOOST_TEST_CONTEXT("power goes at " << at << ", seed " << seed) {
        BOOST_TEST(has(*open(disk), by, "first"));
        BOOST_TEST(state_of(disk) == "ok");
      }
    }
}

BOOST_AUTO_TEST_CASE(what_failed_is_not_there_for_the_next_process) {
  for (auto traits : {bare, as_linux_has})
    for (auto faults : {disk_faults{.sync_error_at = 1}, disk_faults{.write_error_at = 3},
           disk_faults{.write_error_at = 4}, disk_faults{.full_at = 4, .full_for = 1}})
      for (uint64_t seed = 0; seed < commit_seeds / 10; ++seed) {
        failed_commit x{seed, traits, faults};
        x.start_next_process();
        BOOST_TEST(has(*x.pages, x.by, "first"), "seed " << seed);
        BOOST_TEST(!has(*x.pages, x.by, "in doubt"), "seed " << seed);
      }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
