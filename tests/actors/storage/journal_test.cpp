#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/storage/journal.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/observations.hpp"
#include "scratchpage/tests/support/virtual_time.hpp"

/// The journal actor: it commits waiting requests together, waits longer and longer while the
/// store fails, and advances snapshots when nothing is written.

namespace scratchpage::test {

namespace {

/// A store that counts transactions and fails on demand.
class watched_store : public memory_store {
public:
  std::vector<caf::error> append(std::span<const journal_append> xs) override {
    ++appends;
    std::vector<caf::error> verdicts;
    for (const auto& x : xs)
      verdicts.push_back(append(x));
    return verdicts;
  }

  caf::error put(const ownership& by, std::span<const document> xs) override {
    return by.agent == cannot_keep ? cannot_keep_it() : memory_store::put(by, xs);
  }

  caf::error read_journal(
    uint64_t agent, uint64_t after, const visitor<journal_group>& f) override {
    ++reads;
    return has_lost_all ? caf::error{} : memory_store::read_journal(agent, after, f);
  }

  int appends = 0;
  int reads = 0;
  bool fails = false;
  bool has_lost_all = false; ///< the journal reads as empty
  uint64_t cannot_keep = 0;  ///< refuses this agent's writes
  uint64_t fails_for = 0;    ///< the storage fails while it writes for this agent

private:
  caf::error append(const journal_append& x) {
    if (fails || x.by.agent == fails_for)
      return fail(errc::storage_unavailable, "", "the disk is full");
    return x.by.agent == cannot_keep ? cannot_keep_it() : memory_store::append({&x, 1}).front();
  }

  static caf::error cannot_keep_it() {
    return fail(errc::invalid_request, "", "expected a shorter text");
  }
};

/// A clock whose wall time a test sets while time passes.
class set_clock : public scratchpage::clock {
public:
  explicit set_clock(std::shared_ptr<const scratchpage::clock> under)
    : under_{std::move(under)} {}
  timestamp now() const override { return under_->now() + set_by; }
  timespan steady() const override { return under_->steady(); }

  timespan set_by{};

private:
  std::shared_ptr<const scratchpage::clock> under_;
};

struct running_journal : virtual_time {
  std::shared_ptr<watched_store> in = std::make_shared<watched_store>();
  ownership first = *in->claim("first");
  ownership second = *in->claim("second");
  journal_config with;
  journal_actor journal;

  void start_journal() { journal = make<journal_state>(in, driver.clock(), with); }

  static append_events adding(const ownership& by, uint64_t after, uint64_t count = 1) {
    std::vector<page_event> events(count);
    for (auto& event : events) {
      event.sequence = ++after;
      event.observation = observation_ptr{plain_observation(after)};
    }
    return {by.agent, by.epoch, by.claim, after - count, std::move(events)};
  }

  uint64_t kept(const ownership& by) {
    uint64_t last = 0;
    BOOST_REQUIRE(!in->read_journal(by.agent, 0, [&](journal_group&& x) {
      last = x.last;
      return true;
    }));
    return last;
  }

  std::string refusal(append_events x) {
    auto answer = ask(journal, std::move(x));
    return answer ? "none" : describe(answer.error());
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(
  a_clock_that_is_set_forward_by_a_year_and_back_again_makes_nothing_old, running_journal) {
  auto watch = std::make_shared<set_clock>(driver.clock());
  unhurried_clock ages{watch};
  auto began = now();
  advance(std::chrono::hours{24});
  BOOST_TEST((ages.now() == now()));
  watch->set_by = std::chrono::hours{24 * 365};
  BOOST_TEST((ages.now() == began + std::chrono::hours{25}));
  watch->set_by = {};
  BOOST_TEST((ages.now() == now()));
}

BOOST_AUTO_TEST_SUITE(journal)

BOOST_FIXTURE_TEST_CASE(what_waits_together_is_one_transaction, running_journal) {
  start_journal();
  auto a = send(journal, adding(first, 0, 3));
  auto b = send(journal, adding(second, 0));
  settle();
  BOOST_TEST(static_cast<bool>(*a->value));
  BOOST_TEST(static_cast<bool>(*b->value));
  BOOST_TEST(in->appends == 1);
  BOOST_TEST(kept(first) == 3u);
  BOOST_TEST(kept(second) == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  an_older_owner_is_refused_in_the_same_transaction_and_takes_nobody_along, running_journal) {
  start_journal();
  BOOST_REQUIRE(in->claim("first"));
  auto late = send(journal, adding(first, 0));
  auto other = send(journal, adding(second, 0));
  settle();
  BOOST_TEST(!*late->value);
  BOOST_TEST(static_cast<bool>(*other->value));
  BOOST_TEST(in->appends == 1);
}

BOOST_FIXTURE_TEST_CASE(several_requests_of_one_agent_are_committed_in_order, running_journal) {
  start_journal();
  auto a = send(journal, adding(first, 0, 2));
  auto other = send(journal, adding(second, 0));
  auto b = send(journal, adding(first, 2));
  auto c = send(journal, adding(first, 3));
  settle();
  for (const auto& x : {a, b, c, other})
    BOOST_TEST(static_cast<bool>(*x->value));
  BOOST_TEST(kept(first) == 4u);
  BOOST_TEST(in->appends == 3);
}

BOOST_FIXTURE_TEST_CASE(
  what_was_stored_before_the_store_failed_is_answered_as_stored, running_journal) {
  start_journal();
  in->fails_for = second.agent;
  auto stored = send(journal, adding(first, 0));
  auto failed = send(journal, adding(second, 0));
  auto next = send(journal, adding(first, 1));
  settle();
  BOOST_TEST(static_cast<bool>(*stored->value));
  BOOST_TEST(!*failed->value);
  BOOST_TEST(!*next->value); // the store is left alone
  BOOST_TEST(in->appends == 1);
  in->fails_for = 0;
  advance(std::chrono::milliseconds{100});
  BOOST_TEST(refusal(adding(first, 1)) == "none");
  BOOST_TEST(refusal(adding(second, 0)) == "none");
}

BOOST_FIXTURE_TEST_CASE(an_older_owner_is_refused_and_takes_nobody_along, running_journal) {
  start_journal();
  auto late = send(journal, adding(first, 0));
  auto other = send(journal, adding(second, 0));
  BOOST_REQUIRE(in->claim("first"));
  settle();
  BOOST_REQUIRE(!*late->value);
  BOOST_TEST(to_string(code_of(late->value->error())) == "storage_unavailable");
  BOOST_TEST(field_of(late->value->error()) == "epoch");
  BOOST_TEST(static_cast<bool>(*other->value));
  BOOST_TEST(kept(first) == 0u);
  BOOST_TEST(kept(second) == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_store_that_fails_is_left_alone_for_longer_and_longer, running_journal) {
  start_journal();
  in->fails = true;
  BOOST_TEST(
    refusal(adding(first, 0)) == "storage_unavailable: storage_unavailable: the disk is full");
  BOOST_TEST(
    refusal(adding(first, 0)) == "storage_unavailable: storage_unavailable: the disk is full");
  BOOST_TEST(in->appends == 1); // the second one was refused without a call of the store
  advance(std::chrono::milliseconds{100});
  BOOST_TEST(refusal(adding(first, 0)) != "none");
  BOOST_TEST(in->appends == 2);
  advance(std::chrono::milliseconds{100});
  BOOST_TEST(refusal(adding(first, 0)) != "none");
  BOOST_TEST(in->appends == 2); // the pause is now 200 ms
  in->fails = false;
  advance(std::chrono::milliseconds{100});
  BOOST_TEST(refusal(adding(first, 0)) == "none");
  BOOST_TEST(refusal(adding(first, 1)) == "none");
}

BOOST_FIXTURE_TEST_CASE(
  a_store_that_failed_is_not_left_alone_for_longer_because_the_clock_was_set_back,
  running_journal) {
  auto watch = std::make_shared<set_clock>(driver.clock());
  journal = make<journal_state>(in, watch, with);
  in->fails = true;
  BOOST_TEST(refusal(adding(first, 0)) != "none");
  in->fails = false;
  watch->set_by = -std::chrono::hours{1};
  advance(std::chrono::milliseconds{100});
  BOOST_TEST(refusal(adding(first, 0)) == "none");
}

BOOST_FIXTURE_TEST_CASE(
  a_store_that_fails_is_left_alone_although_the_clock_was_set_forward, running_journal) {
  auto watch = std::make_shared<set_clock>(driver.clock());
  journal = make<journal_state>(in, watch, with);
  in->fails = true;
  BOOST_TEST(refusal(adding(first, 0)) != "none");
  watch->set_by = std::chrono::hours{24 * 365};
  BOOST_TEST(refusal(adding(first, 0)) != "none");
  BOOST_TEST(in->appends == 1);
}

BOOST_FIXTURE_TEST_CASE(
  a_page_that_is_ahead_of_its_store_is_refused_and_takes_nobody_along, running_journal) {
  std::vector<ownership> lost;
  auto tell = [&lost](const ownership& by, const caf::error&) { lost.push_back(by); };
  journal = make<journal_state>(in, driver.clock(), with, false, journal_state::on_health{},
    journal_state::claim_watch{nullptr, tell});
  auto ahead = send(journal, adding(first, 7));
  auto other = send(journal, adding(second, 0));
  settle();
  BOOST_TEST(!*ahead->value);
  BOOST_TEST(static_cast<bool>(*other->value));
  BOOST_TEST(refusal(adding(second, 1)) == "none");
  BOOST_TEST(refusal(adding(first, 0)) == "none");
  BOOST_REQUIRE(lost.size() == 1u);
  BOOST_TEST((lost.front() == first));
}

BOOST_FIXTURE_TEST_CASE(
  what_a_store_can_never_keep_is_refused_alone_and_neither_the_store_nor_an_agent_is_blamed,
  running_journal) {
  std::vector<std::string> told;
  auto tell = [&told](const journal_stats& x) { told.push_back(x.last_failure); };
  std::vector<ownership> lost;
  auto tell_lost = [&lost](const ownership& by, const caf::error&) { lost.push_back(by); };
  journal = make<journal_state>(
    in, driver.clock(), with, false, tell, journal_state::claim_watch{nullptr, tell_lost});
  in->cannot_keep = first.agent;
  for (uint64_t i = 0; i < 3; ++i) {
    auto refused = send(journal, adding(first, 0));
    auto document =
      send(journal, keep_documents{first.agent, first.epoch, first.claim, {{"types", "a", "1"}}});
    auto other = send(journal, adding(second, i));
    settle();
    BOOST_TEST(!*refused->value);
    BOOST_TEST(!*document->value);
    BOOST_TEST(static_cast<bool>(*other->value));
  }
  in->cannot_keep = 0;
  BOOST_TEST(refusal(adding(first, 0)) == "none");
  BOOST_TEST(told.empty());
  BOOST_TEST(lost.empty());
}

BOOST_FIXTURE_TEST_CASE(
  an_agent_that_another_process_has_claimed_is_told_though_it_writes_nothing, running_journal) {
  auto claims = std::make_shared<claim_list>();
  std::vector<ownership> lost;
  auto tell = [&lost](const ownership& by, const caf::error&) { lost.push_back(by); };
  claims->add(first);
  claims->add(second);
  journal = make<journal_state>(in, driver.clock(), with, false, journal_state::on_health{},
    journal_state::claim_watch{claims, tell});
  advance(std::chrono::seconds{10});
  BOOST_TEST(lost.empty());
  BOOST_REQUIRE(in->claim("first"));
  advance(std::chrono::seconds{2});
  BOOST_REQUIRE(lost.size() == 1u);
  BOOST_TEST((lost.front() == first));
}

BOOST_FIXTURE_TEST_CASE(
  it_tells_once_when_the_store_begins_to_fail_and_once_when_it_works, running_journal) {
  std::vector<std::string> told;
  auto tell = [&told](const journal_stats& x) {
    told.push_back(x.failures > 0 ? x.last_failure : "works");
  };
  journal = make<journal_state>(in, driver.clock(), with, false, tell);
  BOOST_TEST(refusal(adding(first, 0)) == "none");
  in->fails = true;
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(refusal(adding(first, 1)) != "none");
    advance(std::chrono::seconds{1});
  }
  in->fails = false;
  BOOST_TEST(refusal(adding(first, 1)) == "none");
  BOOST_TEST(refusal(adding(first, 2)) == "none");
  const std::vector<std::string> expected{"storage_unavailable: the disk is full", "works"};
  BOOST_TEST(told == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(it_tells_how_it_is_doing, running_journal) {
  start_journal();
  auto told = [this] {
    auto answer = ask(journal, caf::get_atom_v);
    BOOST_REQUIRE(answer);
    return *answer;
  };
  BOOST_TEST(told().commits == 0u);
  BOOST_TEST(refusal(adding(first, 0, 3)) == "none");
  auto well = told();
  BOOST_TEST(well.commits == 1u);
  BOOST_TEST(well.events == 3u);
  BOOST_TEST(well.failures == 0u);
  in->fails = true;
  std::ignore = refusal(adding(first, 3));
  auto ill = told();
  BOOST_TEST(ill.failures == 1u);
  BOOST_TEST(ill.last_failure == "storage_unavailable: the disk is full");
  BOOST_TEST((ill.next_try > now()));
  in->fails = false;
  advance(std::chrono::seconds{1});
  BOOST_TEST(refusal(adding(first, 3)) == "none");
  auto again = told();
  BOOST_TEST(again.failures == 0u);
  BOOST_TEST(again.last_failure == "");
  BOOST_TEST(again.events == 4u);
}

BOOST_FIXTURE_TEST_CASE(snapshots_move_on_when_nothing_is_written, running_journal) {
  with.fold_after = 4;
  with.fold_at_once = 2;
  start_journal();
  for (uint64_t i = 0; i < 6; ++i)
    BOOST_TEST(refusal(adding(first, i)) == "none");
  BOOST_TEST(in->find_snapshot(first.agent, snapshot_kind::latest)->sequence == 0u);
  advance(std::chrono::milliseconds{100});
  BOOST_TEST(in->find_snapshot(first.agent, snapshot_kind::latest)->sequence == 6u);
}

BOOST_FIXTURE_TEST_CASE(snapshots_move_on_under_load_before_recovery_takes_long, running_journal) {
  with.fold_by_force = 8;
  with.fold_at_once = 4;
  start_journal();
  for (uint64_t i = 0; i < 100; ++i)
    BOOST_TEST(refusal(adding(first, i)) == "none");
  BOOST_TEST(in->find_snapshot(first.agent, snapshot_kind::latest)->sequence >= 92u);
}

BOOST_FIXTURE_TEST_CASE(
  no_commit_under_load_waits_for_much_more_than_what_it_wrote, running_journal) {
  with.fold_by_force = 500;
  start_journal();
  auto moved = [&] { return in->find_snapshot(first.agent, snapshot_kind::latest)->sequence; };
  constexpr uint64_t at_once = 100, commits = 100;
  uint64_t before = 0, two_groups = 0;
  for (uint64_t i = 0; i < commits; ++i) {
    BOOST_TEST(refusal(adding(first, i * at_once, at_once)) == "none");
    auto by = moved() - before;
    before += by;
    BOOST_TEST(by <= 2 * at_once);
    two_groups += by > at_once ? 1 : 0;
  }
  BOOST_TEST(two_groups <= commits / 4);
  BOOST_TEST(commits * at_once - before <= with.fold_by_force + at_once);
}

BOOST_FIXTURE_TEST_CASE(a_snapshot_that_cannot_move_on_is_not_tried_for_ever, running_journal) {
  with.fold_by_force = 8;
  with.fold_after = 4;
  start_journal();
  in->has_lost_all = true;
  constexpr uint64_t commits = 100;
  for (uint64_t i = 0; i < commits; ++i)
    BOOST_TEST(refusal(adding(first, i)) == "none");
  advance(std::chrono::seconds{1});
  BOOST_TEST(in->reads < 2 * static_cast<int>(commits));
}

BOOST_FIXTURE_TEST_CASE(documents_are_kept_by_name, running_journal) {
  start_journal();
  keep_documents two{
    first.agent, first.epoch, first.claim, {{"types", "a", "1"}, {"types", "b", "2"}}};
  BOOST_TEST(static_cast<bool>(ask(journal, two)));
  BOOST_TEST(static_cast<bool>(
    ask(journal, keep_documents{first.agent, first.epoch, first.claim, {{"types", "a", ""}}})));
  std::string found;
  BOOST_REQUIRE(!in->read_documents(first.agent, "types", [&](document&& x) {
    found += x.key + x.body;
    return true;
  }));
  BOOST_TEST(found == "b2");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
