#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// Programs outside the process cannot fill a page with observations that are never evicted, under
/// any number of names and even if daemons add them on their behalf.

namespace scratchpage::test {

namespace {

const caller gauge = from_outside(as_tool("gauge"));
const caller assistant = from_outside(as_daemon("assistant"));
const caller ann = from_outside(as_user("ann"));

struct guarded_page : page_fixture {
  guarded_page() { setup.limits.max_protected_per_source = 3; }

  auto alarm(const caller& by, const std::string& content = "Fire") {
    return try_add(draft("alert", content), by);
  }

  auto resolve(unsigned number, const caller& by) {
    return try_update(id(number), {.status = status::resolved}, by);
  }

  std::string evicted() { return numbers(archive_list(with_status({status::evicted}))); }

  void begin_turn(const std::string& turn_id, const std::optional<caller>& begun_by) {
    value(ask(page, open_turn{as_user("ann", turn_id), begun_by}));
  }

  void fill_with_evidence(unsigned count) {
    for (unsigned i = 1; i <= count; ++i)
      add(note("Smoke"), gauge);
    link_range("goal_1", 1, count);
  }

  void link_range(const std::string& goal_id, unsigned first, unsigned last) {
    std::vector<std::string> ids;
    for (auto i = first; i <= last; ++i)
      ids.push_back(id(i));
    link(goal_id, std::move(ids));
  }

  /// Limits each source to four alerts of 60 000 bytes.
  void limit_bytes() {
    setup.limits.max_protected_per_source = 100;
    setup.limits.max_bytes_per_source = 250'000;
  }

  void raise_long_alarms(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      value(alarm(gauge, std::string(60'000, 'x')));
  }
};

} // namespace

// -- evidence of goals ----------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(one_source_cannot_fill_a_page_with_evidence_of_a_goal, guarded_page) {
  setup.limits.max_observations = 5;
  start();
  fill_with_evidence(5);
  BOOST_TEST(query(asking(anything())).observations.front()->linked_to_goal);
  value(try_add(note("first")));
  value(try_add(note("second")));
  auto left = numbers(query(asking(anything())));
  BOOST_TEST(contains(left, "3 2 1"));
  BOOST_TEST(!contains(left, "4 3"));
}

BOOST_FIXTURE_TEST_CASE(evidence_takes_no_place_of_an_alert, guarded_page) {
  start();
  fill_with_evidence(3);
  for (auto i = 0; i < 3; ++i)
    BOOST_TEST(bool{alarm(gauge)});
  BOOST_CHECK(refused(alarm(gauge), errc::overloaded, "type"));
}

BOOST_FIXTURE_TEST_CASE(evidence_counts_for_its_source_until_the_goal_is_closed, guarded_page) {
  setup.limits.max_observations = 5;
  start();
  fill_with_evidence(3);
  value(ask(page, goal_closed{as_daemon("frontal_cortex"), "goal_1"}));
  add(note("Smoke"), gauge);
  add(note("Smoke"), gauge);
  link_range("goal_2", 4, 5);
  value(try_add(note("Something else")));
  BOOST_TEST(evicted() == "1");
}

BOOST_FIXTURE_TEST_CASE(evidence_that_is_resolved_counts_as_long_as_it_is_kept, guarded_page) {
  setup.limits.max_observations = 6;
  start();
  fill_with_evidence(3);
  for (auto number : {1U, 2U, 3U})
    value(resolve(number, gauge));
  for (auto i = 0; i < 3; ++i)
    add(note("Smoke"), gauge);
  link_range("goal_2", 4, 6);
  value(try_add(note("Something else")));
  BOOST_TEST(evicted() == "4");
}

BOOST_FIXTURE_TEST_CASE(evidence_leaves_half_of_the_bytes_to_alerts, guarded_page) {
  limit_bytes();
  setup.limits.max_observations = 5;
  start();
  for (auto i = 0; i < 3; ++i)
    add(note(std::string(60'000, 'x')), gauge);
  link_range("goal_1", 1, 3);
  raise_long_alarms(2);
  BOOST_CHECK(refused(alarm(gauge, std::string(60'000, 'x')), errc::overloaded, "content"));
  value(try_add(note("Something else")));
  BOOST_TEST(evicted() == "3");
}

BOOST_FIXTURE_TEST_CASE(what_is_linked_twice_in_one_request_is_linked_once, guarded_page) {
  start();
  add(note("Smoke"), gauge);
  auto linked =
    value(ask(page, link_observations{as_daemon("frontal_cortex"), "goal_1", {id(1), id(1)}}));
  BOOST_TEST(linked.observation_ids.size() == 1u);
  BOOST_TEST(get(id(1))->linked_goal_ids.size() == 1u);
}

// -- limits in bytes ------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(alerts_of_one_source_have_so_many_bytes_and_no_more, guarded_page) {
  setup.limits.max_protected_per_source = 100;
  setup.limits.max_bytes_per_source = 250'000;
  start();
  auto added = 0;
  while (added < 10 && alarm(gauge, std::string(60'000, 'x')))
    ++added;
  BOOST_TEST(added >= 3);
  BOOST_TEST(added <= 4);
  BOOST_CHECK(refused(alarm(gauge, std::string(60'000, 'x')), errc::overloaded, "content"));
  BOOST_TEST(bool{alarm(assistant, std::string(60'000, 'x'))});
  BOOST_TEST(bool{try_add(note(std::string(60'000, 'x')), gauge)}); // may be evicted
}

BOOST_FIXTURE_TEST_CASE(small_alerts_cannot_grow_to_more_bytes_than_that, guarded_page) {
  setup.limits.max_protected_per_source = 100;
  setup.limits.max_bytes_per_source = 250'000;
  start();
  for (auto i = 0; i < 10; ++i)
    value(alarm(gauge));
  value(try_add(note("Smoke"), gauge));
  auto grow = [&](unsigned number) {
    return try_update(id(number), {.content = std::string(60'000, 'x')}, gauge);
  };
  auto grown = 0U;
  while (grown < 10 && grow(grown + 1))
    ++grown;
  BOOST_TEST(grown >= 3U);
  BOOST_TEST(grown <= 4U);
  BOOST_CHECK(refused(grow(10), errc::overloaded, "changes"));
  BOOST_TEST(bool{try_update(id(1), {.content = "None"}, gauge)});
  BOOST_TEST(bool{grow(10)});
  BOOST_TEST(bool{grow(11)}); // may be evicted
}

BOOST_FIXTURE_TEST_CASE(what_may_be_evicted_takes_no_bytes_of_alerts, guarded_page) {
  limit_bytes();
  start();
  for (auto i = 0; i < 5; ++i)
    value(try_add(note(std::string(60'000, 'x')), gauge));
  BOOST_TEST(bool{alarm(gauge)});
}

BOOST_FIXTURE_TEST_CASE(an_alert_may_always_be_resolved_and_say_why, guarded_page) {
  limit_bytes();
  start();
  raise_long_alarms(4);
  json::object why{{"why", std::string(20'000, 'x')}};
  BOOST_TEST(!try_update(id(1), {.metadata = why}, gauge));
  BOOST_TEST(bool{try_update(id(1), {.status = status::resolved, .metadata = why}, gauge)});
  BOOST_TEST(bool{alarm(gauge, std::string(60'000, 'x'))});
}

BOOST_FIXTURE_TEST_CASE(
  evidence_may_be_made_longer_and_is_evicted_if_there_is_no_room_for_it, guarded_page) {
  limit_bytes();
  setup.limits.max_observations = 6;
  start();
  fill_with_evidence(2);
  BOOST_TEST(bool{try_update(id(1), {.content = std::string(30'000, 'x')}, gauge)});
  raise_long_alarms(3);
  BOOST_TEST(bool{try_update(id(2), {.content = std::string(30'000, 'x')}, gauge)});
  value(try_add(note("first")));
  value(try_add(note("second")));
  BOOST_TEST(evicted() == "2");
}

BOOST_FIXTURE_TEST_CASE(who_has_too_much_is_named_and_not_who_asks, guarded_page) {
  limit_bytes();
  start();
  raise_long_alarms(4);
  json::object why{{"why", std::string(20'000, 'x')}};
  auto grown = try_update(id(1), {.metadata = why}, from_outside(as_admin("root")));
  BOOST_REQUIRE(refused(grown, errc::overloaded, "changes"));
  BOOST_TEST(contains(describe(grown.error()), "250000 bytes of gauge "));
}

BOOST_FIXTURE_TEST_CASE(open_questions_are_limited_as_alerts_are, guarded_page) {
  start();
  auto question = [&] { return try_add(draft("pending_confirmation", "May I?"), assistant); };
  for (auto i = 0; i < 3; ++i)
    value(question());
  BOOST_CHECK(refused(question(), errc::overloaded, "type"));
  value(resolve(1, assistant));
  BOOST_TEST(bool{question()});
}

// -- changes that storage has not kept yet ----------------------------------------------

BOOST_FIXTURE_TEST_CASE(alerts_on_their_way_to_storage_count_as_well, guarded_page) {
  start();
  auto add = [&] { return send(page, add_observation{gauge, draft("alert", "Fire")}); };
  std::vector<decltype(add())> all;
  for (auto i = 0; i < 6; ++i)
    all.push_back(add());
  settle();
  auto taken = std::count_if(
    all.begin(), all.end(), [](const auto& x) { return x->arrived() && bool{*x->value}; });
  BOOST_TEST(taken == 3);
}

BOOST_FIXTURE_TEST_CASE(an_alert_that_storage_refuses_takes_no_place, guarded_page) {
  start();
  journal->left = 0;
  for (auto i = 0; i < 5; ++i)
    BOOST_CHECK(refused(alarm(gauge), errc::storage_unavailable, ""));
  journal->left.reset();
  for (auto i = 0; i < 3; ++i)
    BOOST_TEST(bool{alarm(gauge)});
  BOOST_CHECK(refused(alarm(gauge), errc::overloaded, "type"));
}

// -- what daemons add in a turn counts for who began it -------------------------------

BOOST_FIXTURE_TEST_CASE(
  what_daemons_report_in_a_turn_counts_for_who_began_it_from_outside, guarded_page) {
  setup.limits.max_observations = 5;
  start();
  begin_turn("t", assistant);
  auto executor = as_daemon("executor", "t");
  for (auto i = 0; i < 5; ++i)
    value(alarm(executor)); // none of it is refused
  BOOST_CHECK(refused(alarm(assistant), errc::overloaded, "type"));
  value(try_add(note("Something else")));
  BOOST_TEST(evicted() == "4");
  value(resolve(1, executor));
  BOOST_TEST(bool{alarm(assistant)});
}

BOOST_FIXTURE_TEST_CASE(
  it_counts_when_the_turn_is_over_and_somebody_is_still_at_work, guarded_page) {
  start();
  begin_turn("t", assistant);
  value(ask(page, close_turn{as_daemon("turns", "t")}));
  for (auto i = 0; i < 4; ++i)
    value(alarm(as_daemon("executor", "t")));
  BOOST_CHECK(refused(alarm(assistant), errc::overloaded, "type"));
}

BOOST_FIXTURE_TEST_CASE(turns_of_the_embedding_program_have_no_share, guarded_page) {
  setup.limits.max_observations = 5;
  start();
  begin_turn("t", {});
  begin_turn("u", as_daemon("assistant"));
  for (auto* turn : {"t", "t", "t", "u", "u"})
    value(alarm(as_daemon("executor", turn)));
  BOOST_CHECK(refused(try_add(note("Something else")), errc::overloaded, "max_observations"));
}

BOOST_FIXTURE_TEST_CASE(what_storage_refuses_does_not_count_for_who_began_the_turn, guarded_page) {
  start();
  begin_turn("t", assistant);
  journal->left = 0;
  for (auto i = 0; i < 5; ++i)
    BOOST_TEST(!alarm(as_daemon("executor", "t")));
  journal->left.reset();
  BOOST_TEST(bool{alarm(assistant)});
}

// -- names without a token --------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(many_claimed_names_have_one_share, guarded_page) {
  start();
  for (auto* name : {"first", "second", "third"})
    value(alarm(claimed(name)));
  BOOST_CHECK(refused(alarm(claimed("fourth")), errc::overloaded, "type"));
  BOOST_CHECK(refused(alarm(claimed("first")), errc::overloaded, "type"));
  BOOST_TEST(bool{alarm(assistant)}); // has a token
  BOOST_TEST(bool{alarm(ann)});
  value(resolve(2, claimed("second")));
  BOOST_TEST(bool{alarm(claimed("fourth"))});
}

BOOST_FIXTURE_TEST_CASE(many_claimed_names_have_one_share_of_evidence, guarded_page) {
  setup.limits.max_observations = 6;
  start();
  for (auto* name : {"first", "second", "third", "fourth", "fifth", "sixth"})
    add(note("Smoke"), claimed(name));
  link_range("goal_1", 1, 3);
  link_range("goal_2", 4, 6);
  value(try_add(note("Something else")));
  BOOST_TEST(evicted() == "4");
}

BOOST_FIXTURE_TEST_CASE(all_who_have_a_share_together_are_told_so, guarded_page) {
  start();
  for (auto* name : {"first", "second", "third"})
    value(alarm(claimed(name)));
  auto fourth = alarm(claimed("fourth"));
  BOOST_REQUIRE(!fourth);
  BOOST_TEST(contains(describe(fourth.error()),
    "3 open questions and alerts of all programs without a token together"));
}

BOOST_FIXTURE_TEST_CASE(many_claimed_names_have_one_share_of_the_bytes, guarded_page) {
  setup.limits.max_protected_per_source = 100;
  setup.limits.max_bytes_per_source = 250'000;
  start();
  auto added = 0;
  while (added < 10 && alarm(claimed("p" + std::to_string(added)), std::string(60'000, 'x')))
    ++added;
  BOOST_TEST(added >= 3);
  BOOST_TEST(added <= 4);
  BOOST_TEST(bool{alarm(ann, std::string(60'000, 'x'))});
}

BOOST_FIXTURE_TEST_CASE(turns_under_many_claimed_names_count_for_one_share, guarded_page) {
  start();
  for (auto* name : {"first", "second", "third"}) {
    begin_turn(name, claimed(name));
    value(alarm(as_daemon("executor", name)));
  }
  BOOST_CHECK(refused(alarm(claimed("fourth")), errc::overloaded, "type"));
  BOOST_TEST(bool{alarm(ann)});
}

} // namespace scratchpage::test
