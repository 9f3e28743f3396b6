#define BOOST_TEST_MODULE protection
#include <boost/test/unit_test.hpp>

#include <optional>
#include <set>
#include <string>

#include "scratchpage/actors/page/protection.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/support/callers.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/observations.hpp"

/// protection: which observations are never evicted, to whose share they count, and how many a
/// source may have.

namespace scratchpage::test {

namespace {

const caller gauge = from_outside(as_tool("gauge"));
const caller ann = from_outside(as_user("ann"));

observation observed(const std::string& type, const caller& by, const std::string& turn_id = {}) {
  auto x = plain_observation(1);
  x.type = type;
  x.source = {by.kind, by.name, turn_id, at_ms(1)};
  return x;
}

observation linked(observation x, std::vector<std::string> goal_ids) {
  x.linked_to_goal = true;
  x.linked_goal_ids = std::move(goal_ids);
  return x;
}

struct protection_fixture {
  protection_fixture() { limits.max_protected_per_source = 2; }

  page_config limits;
  turn_ledger turns{100};
  eviction_order order;
  protection guard{limits, turns, order};

  /// Adds the observation to the page.
  void add(uint64_t number, const observation& x) {
    order.insert(number, 1);
    guard.update(number, x);
  }

  bool may_be_evicted(uint64_t number) const {
    auto is_other = [number](uint64_t x) { return x != number; };
    return order.victim(is_other).has_value();
  }

  /// The field of the refusal, or "".
  std::string refused(const observation& x, const caller& by) {
    auto err = guard.check_share(x, memory_of(x), by);
    return err ? field_of(err) : "";
  }

  static page_change planned(uint64_t number, const observation& x) {
    return {event_kind::added, number, observation_ptr{x}, {}, {}, memory_of(x)};
  }

  /// Opens the turn as one that `by`, somebody outside, has begun.
  void begin_turn(const std::string& turn_id, const caller& by) {
    auto payer = guard.payer_of(open_turn{as_daemon("turns", turn_id), by});
    BOOST_REQUIRE(!turns.open(turn_id, payer));
  }
};

} // namespace

// -- protected observations -------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(questions_and_alerts_stay_until_they_are_settled, protection_fixture) {
  uint64_t number = 0;
  for (const char* type : {"alert", "risk_alert", "pending_confirmation"}) {
    auto x = observed(type, as_daemon("clarifier"));
    add(++number, x);
    BOOST_TEST(guard.is_protected(number, x));
    BOOST_TEST(!may_be_evicted(number));
    x.status = status::resolved;
    guard.update(number, x);
    BOOST_TEST(!guard.is_protected(number, x));
    BOOST_TEST(may_be_evicted(number));
  }
}

BOOST_FIXTURE_TEST_CASE(anything_else_may_be_evicted, protection_fixture) {
  auto x = observed("observation", gauge);
  add(1, x);
  BOOST_TEST(!guard.is_protected(1, x));
  BOOST_TEST(may_be_evicted(1));
}

BOOST_FIXTURE_TEST_CASE(evidence_stays_while_one_of_its_goals_is_open, protection_fixture) {
  auto x = linked(observed("observation", gauge), {"goal_1", "goal_2"});
  add(1, x);
  guard.add_evidence("goal_1", 1, x);
  guard.add_evidence("goal_2", 1, x);
  BOOST_TEST(!may_be_evicted(1));
  BOOST_TEST(guard.close_goal("goal_1") == std::set<uint64_t>{1}, boost::test_tools::per_element());
  guard.update(1, x);
  BOOST_TEST(!may_be_evicted(1));
  BOOST_TEST(guard.remove_evidence("goal_2", 1));
  BOOST_TEST(!guard.remove_evidence("goal_2", 1));
  guard.update(1, x);
  BOOST_TEST(may_be_evicted(1));
}

BOOST_FIXTURE_TEST_CASE(a_link_alone_protects_nothing, protection_fixture) {
  auto x = linked(observed("observation", gauge), {"goal_1"});
  add(1, x);
  BOOST_TEST(may_be_evicted(1));
}

BOOST_FIXTURE_TEST_CASE(one_source_has_only_so_much_evidence, protection_fixture) {
  auto x = linked(observed("observation", gauge), {"goal_1"});
  for (uint64_t number = 1; number <= 3; ++number) {
    add(number, x);
    guard.add_evidence("goal_1", number, x);
  }
  BOOST_TEST(guard.is_protected(2, x));
  BOOST_TEST(!guard.is_protected(3, x));
  auto other = linked(observed("observation", ann), {"goal_1"});
  add(4, other);
  guard.add_evidence("goal_1", 4, other);
  BOOST_TEST(guard.is_protected(4, other));
}

BOOST_FIXTURE_TEST_CASE(evidence_that_grows_beyond_its_share_may_be_evicted, protection_fixture) {
  limits.max_bytes_per_source = 20'000;
  auto x = linked(observed("observation", gauge), {"goal_1"});
  add(1, x);
  guard.add_evidence("goal_1", 1, x);
  guard.release_grown(1, x);
  BOOST_TEST(!may_be_evicted(1));
  x.content = std::string(15'000, 'x');
  guard.update(1, x);
  guard.release_grown(1, x);
  BOOST_TEST(may_be_evicted(1));
}

BOOST_FIXTURE_TEST_CASE(what_has_left_the_page_counts_for_nobody, protection_fixture) {
  auto x = linked(observed("alert", gauge), {"goal_1"});
  auto share = guard.shares().of(x.source);
  add(1, x);
  guard.add_evidence("goal_1", 1, x);
  BOOST_TEST(guard.shares().open(share) == 1u);
  BOOST_TEST(guard.shares().evidence(share) == 1u);
  order.erase(1);
  guard.forget(1, x);
  BOOST_TEST(guard.shares().open(share) == 0u);
  BOOST_TEST(guard.shares().evidence(share) == 0u);
  BOOST_TEST(guard.shares().guarded_bytes(share) == 0u);
  BOOST_TEST(guard.close_goal("goal_1").empty());
}

// -- shares -------------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_source_from_outside_has_only_so_many_open_alerts, protection_fixture) {
  auto x = observed("alert", gauge);
  for (uint64_t number = 1; number <= 2; ++number) {
    BOOST_TEST(refused(x, gauge) == "");
    add(number, x);
  }
  BOOST_TEST(refused(x, gauge) == "type");
  BOOST_TEST(refused(observed("observation", gauge), gauge) == "");
  BOOST_TEST(refused(observed("alert", ann), ann) == "");
  BOOST_TEST(refused(x, as_tool("gauge")) == ""); // a tool inside has no limit
}

BOOST_FIXTURE_TEST_CASE(
  programs_whose_names_nobody_has_checked_count_together, protection_fixture) {
  uint64_t number = 0;
  for (const char* name : {"a", "b"}) {
    auto x = observed("alert", claimed(name));
    BOOST_TEST(refused(x, claimed(name)) == "");
    add(++number, x);
  }
  BOOST_TEST(refused(observed("alert", claimed("c")), claimed("c")) == "type");
}

BOOST_FIXTURE_TEST_CASE(a_source_has_only_so_many_protected_bytes, protection_fixture) {
  limits.max_bytes_per_source = 20'000;
  auto x = observed("alert", gauge);
  x.content = std::string(15'000, 'x');
  BOOST_TEST(refused(x, gauge) == "");
  add(1, x);
  BOOST_TEST(refused(x, gauge) == "content");
  auto change = planned(1, x);
  BOOST_TEST(field_of(guard.check_growth(change, x, 10'000, gauge)) == "changes");
  BOOST_TEST(change.protected_bytes == 10'000);
  auto small = planned(1, x);
  BOOST_TEST(!guard.check_growth(small, x, 100, gauge));
  auto of_ensemble = planned(1, x);
  BOOST_TEST(!guard.check_growth(of_ensemble, x, 10'000, as_daemon("executor")));
  BOOST_TEST(of_ensemble.protected_bytes == 0);
}

BOOST_FIXTURE_TEST_CASE(a_source_may_use_its_protected_bytes_to_the_last, protection_fixture) {
  auto x = observed("alert", gauge);
  add(1, x);
  limits.max_bytes_per_source = memory_of(x) + 100;
  auto last = planned(1, x);
  BOOST_TEST(!guard.check_growth(last, x, 100, gauge));
  auto beyond = planned(1, x);
  BOOST_TEST(field_of(guard.check_growth(beyond, x, 101, gauge)) == "changes");
}

BOOST_FIXTURE_TEST_CASE(whoever_resolves_an_alert_may_add_to_it, protection_fixture) {
  limits.max_bytes_per_source = 20'000;
  auto before = observed("alert", gauge);
  add(1, before);
  auto after = before;
  after.status = status::resolved;
  auto change = planned(1, after);
  BOOST_TEST(!guard.check_growth(change, before, 100'000, gauge));
  BOOST_TEST(change.protected_bytes == 0);
}

BOOST_FIXTURE_TEST_CASE(alerts_count_while_they_are_on_their_way, protection_fixture) {
  limits.max_protected_per_source = 1;
  auto x = observed("alert", gauge);
  BOOST_TEST(refused(x, gauge) == "");
  page_changes changes{planned(1, x)};
  guard.note_planned(changes.front(), gauge);
  BOOST_TEST(changes.front().protected_bytes == static_cast<int64_t>(memory_of(x)));
  guard.count_staged(changes, 1);
  BOOST_TEST(refused(x, gauge) == "type");
  guard.count_staged(changes, -1);
  BOOST_TEST(refused(x, gauge) == "");
}

// -- who pays ------------------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_the_ensemble_asks_counts_for_whoever_began_the_turn, protection_fixture) {
  limits.max_protected_per_source = 1;
  auto assistant = from_outside(as_daemon("assistant"));
  begin_turn("turn_1", assistant);
  auto by = as_daemon("executor", "turn_1");
  auto change = planned(1, observed("pending_confirmation", by, "turn_1"));
  guard.note_planned(change, by);
  BOOST_TEST(change.protected_bytes == 0);
  BOOST_TEST(refused(observed("alert", assistant), assistant) == "type");
  guard.forget_charge(1);
  BOOST_TEST(refused(observed("alert", assistant), assistant) == "");
}

BOOST_FIXTURE_TEST_CASE(what_the_ensemble_asks_beyond_a_share_may_be_evicted, protection_fixture) {
  limits.max_protected_per_source = 1;
  begin_turn("turn_1", from_outside(as_daemon("assistant")));
  auto by = as_daemon("executor", "turn_1");
  auto x = observed("pending_confirmation", by, "turn_1");
  for (uint64_t number = 1; number <= 2; ++number) {
    auto change = planned(number, x);
    guard.note_planned(change, by);
    add(number, x);
  }
  BOOST_TEST(guard.is_protected(1, x));
  BOOST_TEST(!guard.is_protected(2, x));
  BOOST_TEST(may_be_evicted(2));
}

BOOST_FIXTURE_TEST_CASE(in_turns_of_the_ensemble_nobody_pays, protection_fixture) {
  limits.max_protected_per_source = 1;
  begin_turn("turn_1", as_daemon("scheduler"));
  auto by = as_daemon("executor", "turn_1");
  auto x = observed("pending_confirmation", by, "turn_1");
  for (uint64_t number = 1; number <= 2; ++number) {
    auto change = planned(number, x);
    guard.note_planned(change, by);
    BOOST_TEST(guard.is_protected(number, x));
  }
}

BOOST_FIXTURE_TEST_CASE(
  after_a_restart_questions_of_turns_count_for_somebody_unknown, protection_fixture) {
  guard.charge_restored(1, observed("alert", as_daemon("executor"), "turn_1"), 100);
  guard.charge_restored(2, observed("alert", as_daemon("executor")), 100);
  guard.charge_restored(3, observed("alert", ann, "turn_1"), 100);
  guard.charge_restored(4, observed("observation", as_daemon("executor"), "turn_1"), 100);
  BOOST_TEST(guard.shares().charged(source_shares::unknown) == 1u);
  BOOST_TEST(guard.shares().charged_bytes(source_shares::unknown) == 100u);
}

BOOST_FIXTURE_TEST_CASE(
  a_goal_counts_for_the_program_from_outside_that_led_to_it, protection_fixture) {
  auto assistant = from_outside(as_daemon("assistant"));
  begin_turn("turn_1", assistant);
  BOOST_TEST(guard.program_of(observed("observation", assistant), false) == "daemon assistant");
  BOOST_TEST(guard.program_of(observed("observation", as_daemon("executor"), "turn_1"), false)
             == "daemon assistant");
  BOOST_TEST(guard.program_of(observed("observation", as_daemon("executor")), false) == "");
  BOOST_TEST(guard.program_of(observed("observation", ann), false) == "");
  auto embedding = observed("observation", as_daemon("embedding"));
  BOOST_TEST(guard.program_of(embedding, false) == "");
  BOOST_TEST(guard.program_of(embedding, true) == "daemon embedding");
}

// -- evidence_index ------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_observation_may_be_evidence_of_several_goals) {
  evidence_index evidence;
  evidence.add("goal_1", 7);
  evidence.add("goal_2", 7);
  evidence.add("goal_2", 8);
  BOOST_TEST(evidence.contains(7, {"goal_3", "goal_2"}));
  BOOST_TEST(!evidence.contains(8, {"goal_1"}));
  BOOST_TEST(!evidence.contains(7, {}));
  evidence.remove(std::vector<std::string>{"goal_1", "goal_3"}, 7);
  BOOST_TEST(!evidence.contains(7, {"goal_1"}));
  BOOST_TEST(
    evidence.close("goal_2") == (std::set<uint64_t>{7, 8}), boost::test_tools::per_element());
  BOOST_TEST(evidence.close("goal_2").empty());
}

BOOST_AUTO_TEST_CASE(a_goal_has_only_so_much_evidence) {
  evidence_index evidence;
  BOOST_TEST(!evidence.is_full("goal_1"));
  for (uint64_t number = 1; number <= goal_limits::observations; ++number)
    evidence.add("goal_1", number);
  BOOST_TEST(evidence.is_full("goal_1"));
  BOOST_TEST(!evidence.is_full("goal_2"));
  BOOST_TEST(evidence.remove("goal_1", 1));
  BOOST_TEST(!evidence.is_full("goal_1"));
}

} // namespace scratchpage::test
