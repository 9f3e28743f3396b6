#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/tests/support/faulty_disk.hpp"

/// What a failed commit leaves in the log harms nothing that comes after it. On
/// Linux a sync that failed is not made good by the next: what was written before
/// is seen by everybody, and may still never reach the disk.

namespace scratchpage::test {

namespace {

constexpr disk_traits bare;
constexpr disk_traits as_linux_has{.overwrites_safely = true, .failed_syncs_forget = true};
constexpr uint64_t seeds = 200;

std::unique_ptr<sql_store> open(const faulty_disk& on) {
  auto opened = sql_store::open(sql::sqlite("store", {on.vfs()}));
  BOOST_REQUIRE(opened);
  return std::move(*opened);
}

/// Much, so that it changes many pages of the database.
bool put(store& to, const ownership& by, const std::string& key) {
  std::vector<document> xs;
  xs.push_back(make_document("facts", key, "1"));
  for (int i = 0; i < 30; ++i)
    xs.push_back(make_document("facts", key + std::to_string(i), std::string(900, 'x')));
  return !to.put(by, xs);
}

bool has(store& x, const ownership& by, const std::string& key) {
  auto found = false;
  auto err = x.read_documents(by.agent, "facts", [&](document&& one) {
    found = found || one.key == key;
    return true;
  });
  return found && !err;
}

/// A process that has failed to commit "in doubt".
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

/// What SQLite finds in its file.
std::string state_of(const faulty_disk& x) {
  std::string found;
  auto db = sql::sqlite("store", {x.vfs()})();
  db->run("PRAGMA integrity_check", {}, [&](const sql::row& one) { found += one.text(0); });
  return found;
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
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    failed_commit x{seed, as_linux_has, {.sync_error_at = 1}};
    BOOST_TEST(put(*x.pages, x.by, "last"));
    BOOST_TEST(survives_power_cut(x, "last"), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(the_next_process_keeps_what_it_commits) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    failed_commit x{seed, as_linux_has, {.sync_error_at = 1}};
    x.start_next_process();
    x.by = *x.pages->claim("ada");
    BOOST_TEST(put(*x.pages, x.by, "last"));
    BOOST_TEST(survives_power_cut(x, "last"), "seed " << seed);
  }
}

/// It is in the system's cache only, and must not get into the database in part.
BOOST_AUTO_TEST_CASE(the_next_process_may_lose_power_at_any_moment_of_its_start) {
  for (uint64_t at = 1; at < 60; ++at)
    for (uint64_t seed = 0; seed < 20; ++seed) {
      failed_commit x{seed, as_linux_has, {.sync_error_at = 1}};
      x.disk.kill();
      x.pages.reset();
      x.disk.restart();
      x.disk.plan({.cut_power_at = at});
      if (auto opened = sql_store::open(sql::sqlite("store", {x.disk.vfs()})))
        std::ignore = (**opened).claim("ada");
      x.disk.cut_power();
      x.disk.restart();
      x.pages = open(x.disk);
      BOOST_TEST_CONTEXT("power goes at " << at << ", seed " << seed) {
        BOOST_TEST(has(*x.pages, x.by, "first"));
        BOOST_TEST(state_of(x.disk) == "ok");
      }
    }
}

BOOST_AUTO_TEST_CASE(what_failed_is_not_there_for_the_next_process) {
  for (auto traits : {bare, as_linux_has})
    for (auto faults : {disk_faults{.sync_error_at = 1}, disk_faults{.write_error_at = 3},
           disk_faults{.write_error_at = 4}, disk_faults{.full_at = 4, .full_for = 1}})
      for (uint64_t seed = 0; seed < seeds / 10; ++seed) {
        failed_commit x{seed, traits, faults};
        x.start_next_process();
        BOOST_TEST(has(*x.pages, x.by, "first"), "seed " << seed);
        BOOST_TEST(!has(*x.pages, x.by, "in doubt"), "seed " << seed);
      }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
