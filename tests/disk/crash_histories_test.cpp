#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/tests/disk/page_history.hpp"
#include "scratchpage/tests/disk/seeds.hpp"

/// Random histories with faults of the disk: what a store has acknowledged is there afterwards. The
/// seeds are chosen in seeds.hpp.

namespace scratchpage::test {

namespace {

constexpr uint64_t kinds_of_trouble = 4;

void add(disk_figures& to, const disk_figures& x) {
  to.reads += x.reads;
  to.writes += x.writes;
  to.syncs += x.syncs;
  to.power_cuts += x.power_cuts;
  to.changes_at_stake += x.changes_at_stake;
  to.kills += x.kills;
  to.refused_for_room += x.refused_for_room;
  to.write_errors += x.write_errors;
  to.sync_errors += x.sync_errors;
  to.read_errors += x.read_errors;
}

void add(history_report& to, const history_report& x) {
  to.processes += x.processes;
  to.commits += x.commits;
  to.refusals += x.refusals;
  to.checks += x.checks;
  to.doubts += x.doubts;
  to.doubts_there += x.doubts_there;
  add(to.disk, x.disk);
}

void tell(uint64_t histories, const history_report& x) {
  BOOST_TEST_MESSAGE(
    histories << " histories: " << x.processes << " processes, " << x.commits << " commits, "
              << x.refusals << " refused calls, " << x.checks << " checks; in doubt " << x.doubts
              << " times, there " << x.doubts_there << " times; " << x.disk.power_cuts
              << " power cuts with " << x.disk.changes_at_stake << " changes at stake, "
              << x.disk.kills << " kills, " << x.disk.refused_for_room << " writes without room, "
              << x.disk.write_errors << " write errors, " << x.disk.sync_errors << " sync errors, "
              << x.disk.read_errors << " read errors; of " << x.disk.writes << " writes, "
              << x.disk.syncs << " syncs, " << x.disk.reads << " reads");
}

/// Even seeds use a disk with Linux's behaviour, odd ones a disk with minimal guarantees.
history_report run_one(uint64_t seed, trouble with) {
  auto report = run_history({seed, with, seed % 2 == 0 ? as_linux_has : bare});
  BOOST_TEST(report.failure == "",
    "SCRATCHPAGE_SEED=" << seed << " (this history alone): " << report.failure);
  return report;
}

void run_histories(trouble with) {
  auto seeds = seeds_of_one_in(kinds_of_trouble);
  history_report total;
  for (auto seed = seeds.first; seed <= seeds.last; ++seed)
    add(total, run_one(seed, with));
  tell(seeds.last - seeds.first + 1, total);
}

} // namespace

BOOST_AUTO_TEST_SUITE(what_a_store_has_acknowledged)

BOOST_AUTO_TEST_CASE(survives_crashes) {
  run_histories(trouble::crashes);
}

BOOST_AUTO_TEST_CASE(survives_full_disks) {
  run_histories(trouble::full_disks);
}

BOOST_AUTO_TEST_CASE(survives_errors_of_the_disk) {
  run_histories(trouble::errors);
}

BOOST_AUTO_TEST_CASE(survives_everything_at_once) {
  run_histories(trouble::everything);
}

BOOST_AUTO_TEST_CASE(is_lost_in_some_histories_without_syncs) {
  int found_out = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed)
    found_out += run_history({seed, trouble::crashes, bare, false}).failure.empty() ? 0 : 1;
  BOOST_TEST(found_out > 10);
}

BOOST_AUTO_TEST_CASE(is_all_that_is_certain_after_a_crash) {
  history_report total;
  for (uint64_t seed = 1; seed <= 60; ++seed)
    add(total, run_one(seed, trouble::crashes));
  BOOST_TEST(total.doubts_there > 0u, "what had not been answered may be there");
  BOOST_TEST(total.doubts_there < total.doubts, "or not");
}

BOOST_AUTO_TEST_CASE(is_the_same_for_the_same_seed) {
  for (uint64_t seed = 1; seed <= 5; ++seed)
    BOOST_CHECK(run_history({seed}) == run_history({seed}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
