#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

#include <caf/send.hpp>

#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/tests/disk/disk_store.hpp"
#include "scratchpage/tests/disk/seeds.hpp"
#include "scratchpage/tests/support/faulty_disk.hpp"
#include "scratchpage/tests/support/kept_history.hpp"
#include "scratchpage/tests/support/team.hpp"

/// A complete ensemble with its journal and its memories on a disk that crashes, fills up
/// and fails: what the page has acknowledged is there afterwards, whatever the
/// daemons and the journal's retries did meanwhile. The test uses one in ten of the seeds.

namespace scratchpage::test {

namespace {

/// Members that outlive the actors.
struct crashing_parts {
  explicit crashing_parts(uint64_t seed)
    : by{seed},
      disk{seed ^ 0x7ea3, seed % 2 == 0 ? as_linux_has : bare} {}

  chance by;
  faulty_disk disk;
};

/// Simulates several processes one after another on the same disk. Each is an ensemble of the same
/// agent. All use one actor system, which keeps no state of theirs.
class crashing_team : crashing_parts, team {
public:
  explicit crashing_team(uint64_t seed)
    : crashing_parts{seed} {
    setup.config.page.max_observations = 40; // so that many are evicted
    setup.config.journal.fold_after = 8;     // so that snapshots advance
    setup.config.journal.fold_at_once = 5;
  }

  void run() {
    for (int processes = 0; processes < 3; ++processes) {
      live();
      check();
    }
  }

  size_t told() const { return so_far_.size(); }
  size_t refused() const { return refused_; }
  size_t evidence() const { return evidence_; }

private:
  using pending_receipt = std::shared_ptr<pending_answer<receipt>>;

  // -- processes ----------------------------------------------------------------------------

  void live() {
    disk.plan(draw_faults());
    if (begin())
      for (auto n = 10 + by.below(30); n > 0 && !disk.is_dead(); --n)
        take_step();
    if (by.one_in(2))
      disk.cut_power();
    else if (by.one_in(2))
      disk.kill();
    end();
  }

  bool begin() {
    auto opened = sql_store::open(store_on(disk), mark_on(disk));
    if (!opened)
      return false;
    std::shared_ptr<store> storage = std::move(*opened);
    journal_ = virtual_time::make<journal_state>(storage, driver.clock(), setup.config.journal);
    auto kept = recover_agent(storage, {journal_}, setup.agent_id, setup.config);
    if (!kept)
      return false;
    setup.kept = std::move(*kept);
    start();
    return true;
  }

  void end() {
    host.reset();
    settle();
    if (journal_)
      caf::anon_send_exit(journal_, caf::exit_reason::user_shutdown);
    settle();
    setup.kept = recovered_agent{};
    journal_ = nullptr;
    again_.clear();
    disk.restart();
  }

  disk_faults draw_faults() {
    disk_faults faults;
    auto soon = [this] { return 1 + by.below(by.one_in(3) ? 60 : 600); };
    if (by.one_in(2))
      (by.one_in(4) ? faults.kill_at : faults.cut_power_at) = soon();
    if (by.one_in(4)) {
      faults.full_at = soon();
      faults.full_for = 1 + by.below(40);
    }
    if (by.one_in(4))
      faults.write_error_at = soon();
    if (by.one_in(3))
      faults.sync_error_at = 1 + soon() / 8;
    if (by.one_in(4))
      faults.read_error_at = soon();
    return faults;
  }

  // -- callers ------------------------------------------------------------------------------

  void take_step() {
    switch (by.below(10)) {
    case 0:
      advance(std::chrono::seconds{by.below(20)});
      break;
    case 1:
      advance(std::chrono::milliseconds{60}); // a snapshot advances
      break;
    case 2:
    case 3:
      change_some();
      break;
    case 4:
      disk.plan(by.one_in(3) ? draw_faults() : disk_faults{});
      break;
    default:
      add_some();
    }
  }

  /// Adds several drafts at once, so that they are one commit, and those refused before once more.
  void add_some() {
    for (auto n = 1 + by.below(5); n > 0; --n)
      again_.push_back(draw_draft());
    std::vector<pending_receipt> answers;
    for (const auto& x : again_)
      answers.push_back(send(host->page(), add_observation{as_tool("writer"), x}));
    advance(std::chrono::milliseconds{20});
    std::vector<observation_draft> refused;
    for (size_t i = 0; i < answers.size(); ++i)
      if (!take(answers[i]))
        refused.push_back(again_[i]);
    again_ = std::move(refused);
  }

  void change_some() {
    if (so_far_.empty())
      return;
    update_observation request;
    request.by = as_daemon("planner");
    request.observation_id = last_;
    request.changes.content = "changed " + std::to_string(++said_);
    auto answer = send(host->page(), std::move(request));
    settle();
    take(answer);
  }

  /// Notes the change if it was acknowledged. False if the draft has to be added again.
  bool take(const pending_receipt& answer) {
    BOOST_REQUIRE_MESSAGE(answer->arrived(), "no answer");
    if (*answer->value) {
      const auto& x = *(**answer->value).observation;
      last_ = x.observation_id;
      note(x, so_far_);
      return true;
    }
    ++refused_;
    auto code = code_of(answer->value->error());
    if (code == errc::overloaded || code == errc::not_found)
      return true; // the page is full of evidence, or the observation has left
    BOOST_TEST(to_string(code) == "storage_unavailable");
    return false;
  }

  /// One in sixteen drafts becomes evidence of one of three goals.
  observation_draft draw_draft() {
    auto n = ++said_;
    auto x = draft("contextual_insight", "said " + std::to_string(n), by.one_in(16) ? 0.95 : 0.5);
    if (x.confidence > 0.9)
      x.context["goal_id"] = "trip_" + std::to_string(n % 3);
    if (by.one_in(8))
      x.ttl_minutes = 0.2;
    return x;
  }

  // -- comparing ----------------------------------------------------------------------------

  /// Checks the store on a working disk, as the next process would find it. Mostly the check ends
  /// as a killed process, so that the next one finds a write-ahead log.
  void check() {
    {
      auto opened = sql_store::open(store_on(disk), mark_on(disk));
      BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : describe(opened.error())));
      auto owner = (**opened).claim(setup.agent_id);
      BOOST_REQUIRE(owner);
      evidence_ = check_history(**opened, *owner, so_far_);
      if (!by.one_in(4))
        disk.kill();
    }
    disk.restart();
  }

  journal_actor journal_;
  acknowledged so_far_;
  std::string last_;                     // the last acknowledged id
  std::vector<observation_draft> again_; // drafts refused in this process
  uint64_t said_ = 0;
  size_t refused_ = 0;
  size_t evidence_ = 0; // number of goals' observations after the last process
};

} // namespace

BOOST_AUTO_TEST_SUITE(what_a_page_has_acknowledged)

BOOST_AUTO_TEST_CASE(survives_whatever_the_disk_does) {
  auto seeds = seeds_of_one_in(10);
  size_t told = 0;
  size_t refused = 0;
  size_t evidence = 0;
  for (auto seed = seeds.first; seed <= seeds.last; ++seed) {
    BOOST_TEST_CONTEXT("SCRATCHPAGE_SEED=" << seed << " (this history alone)") {
      crashing_team x{seed};
      x.run();
      told += x.told();
      refused += x.refused();
      evidence += x.evidence();
    }
  }
  BOOST_TEST((evidence > 0 || seeds.first == seeds.last));
  BOOST_TEST_MESSAGE(
    told << " acknowledged, " << refused << " refused, " << evidence << " are evidence");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
