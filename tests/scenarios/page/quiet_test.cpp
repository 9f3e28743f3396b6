#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// When a turn is quiet (contract 7; docs/architecture.md, "Delivery and quiet").

namespace scratchpage::test {

namespace {

caller as(std::string who) {
  return as_daemon(std::move(who), "t");
}

/// A page with the open turn "t".
struct one_turn : page_fixture {
  one_turn() {
    start();
    value(ask(page, open_turn{as("turns")}));
  }

  worker_actor new_worker() { return make<worker_state>(page); }

  auto wait(const worker_actor& who, std::string name, quiet_stage stage) {
    auto answer = send(who, await_quiet{as(std::move(name)), stage});
    settle();
    return answer;
  }

  auto wait_for_end() { return wait(new_worker(), "turns", quiet_stage::ended); }

  void hold(const worker_actor& who, std::string name) {
    value(ask(who, hold_turn{as(std::move(name))}));
  }

  void release(const worker_actor& who, std::string name) {
    value(ask(who, release_turn{as(std::move(name))}));
  }

  void kill(const worker_actor& who) {
    caf::anon_send_exit(who, caf::exit_reason::kill);
    settle();
  }

  void add_in_turn(std::string turn_id = "t") { add(note("x"), as_daemon("planner", turn_id)); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_turn_in_which_nothing_happens_is_quiet, one_turn) {
  BOOST_TEST(wait_for_end()->arrived());
}

BOOST_FIXTURE_TEST_CASE(every_subscriber_must_have_acknowledged_the_last_change, one_turn) {
  auto slow = watch_page({}, {}, manner::hold_back);
  watch_page();
  add_in_turn();
  add_in_turn();
  auto quiet = wait_for_end();
  BOOST_TEST(!quiet->arrived());
  acknowledge(slow); // the first of two changes
  BOOST_TEST(!quiet->arrived());
  acknowledge(slow);
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(
  drafts_that_are_added_in_slices_keep_their_turn_from_being_quiet, one_turn) {
  page_clock->step = std::chrono::milliseconds{1};
  auto many = send(page, add_observations{as("planner"), {note("x"), note("y")}});
  auto quiet = wait_for_end();
  BOOST_TEST(!many->arrived());
  BOOST_TEST(!quiet->arrived());
  page_clock->step = {};
  advance(std::chrono::seconds{1});
  BOOST_TEST(many->arrived());
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(who_is_not_concerned_is_not_waited_for, one_turn) {
  auto other = watch_page(with_tags({"wine"}), {}, manner::hold_back);
  add_in_turn();
  BOOST_TEST(wait_for_end()->arrived());
  BOOST_TEST(other.lines().empty());
}

BOOST_FIXTURE_TEST_CASE(who_takes_no_part_in_turns_is_not_waited_for, one_turn) {
  auto watcher = new_probe(manner::hold_back);
  value(ask(page, order_of(watcher, {}, {}, false)));
  add_in_turn();
  BOOST_TEST(wait_for_end()->arrived());
  BOOST_TEST(watcher.lines().size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(what_other_turns_do_later_is_not_waited_for, one_turn) {
  auto slow = watch_page();
  slow.log->first = {manner::acknowledge, manner::hold_back};
  add_in_turn();
  add_in_turn("other");
  BOOST_TEST(slow.log->unanswered == 1u);
  BOOST_TEST(wait_for_end()->arrived());
}

BOOST_FIXTURE_TEST_CASE(who_dies_or_leaves_or_is_silent_for_long_is_not_waited_for, one_turn) {
  auto dying = watch_page({}, {}, manner::hold_back);
  auto leaving = watch_page({}, {}, manner::hold_back);
  auto silent = watch_page({}, {}, manner::hold_back);
  add_in_turn();
  auto quiet = wait_for_end();
  end(dying);
  value(ask(page, unsubscribe{as_daemon("probe"), leaving.handle}));
  BOOST_TEST(!quiet->arrived());
  for (uint32_t i = 0; i < setup.limits.delivery_attempts; ++i) {
    BOOST_TEST(!quiet->arrived());
    advance(std::chrono::seconds{30});
  }
  BOOST_TEST(silent.log->batches.size() == setup.limits.delivery_attempts);
  BOOST_TEST(quiet->arrived());
  add_in_turn();
  BOOST_TEST(wait_for_end()->arrived());
}

BOOST_FIXTURE_TEST_CASE(who_was_silent_and_answers_is_waited_for_again, one_turn) {
  auto slow = watch_page({}, {}, manner::hold_back);
  add_in_turn();
  advance(std::chrono::hours{1});
  add_in_turn();
  BOOST_TEST(wait_for_end()->arrived());
  acknowledge(slow); // after which it gets the second change
  auto quiet = wait_for_end();
  BOOST_TEST(!quiet->arrived());
  acknowledge(slow);
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(the_stages_follow_each_other, one_turn) {
  auto slow = watch_page({}, {}, manner::hold_back);
  auto executor = new_worker();
  auto evaluator = new_worker();
  add_in_turn();
  hold(executor, "executor");
  auto ended = wait_for_end();
  auto executed = wait(evaluator, "evaluator", quiet_stage::executed);
  auto started = wait(new_worker(), "answer", quiet_stage::started);
  BOOST_TEST(!started->arrived());
  acknowledge(slow);
  BOOST_TEST(started->arrived()); // `started` does not wait for holds
  BOOST_TEST(!executed->arrived());
  release(executor, "executor");
  BOOST_TEST(executed->arrived());
  BOOST_TEST(!ended->arrived()); // the evaluator holds the turn since `executed`
  add_in_turn();
  release(evaluator, "evaluator");
  BOOST_TEST(!ended->arrived()); // a change is not acknowledged yet
  acknowledge(slow);
  BOOST_TEST(ended->arrived());
}

BOOST_FIXTURE_TEST_CASE(a_hold_is_let_go_as_often_as_it_was_taken, one_turn) {
  auto executor = new_worker();
  hold(executor, "executor");
  hold(executor, "executor");
  auto quiet = wait_for_end();
  release(executor, "executor");
  BOOST_TEST(!quiet->arrived());
  release(executor, "executor");
  BOOST_TEST(quiet->arrived());
  BOOST_CHECK(refused(ask(executor, release_turn{as("executor")}), errc::not_found, "by.name"));
}

BOOST_FIXTURE_TEST_CASE(a_holder_that_dies_lets_go, one_turn) {
  auto executor = new_worker();
  auto other = new_worker();
  hold(executor, "executor");
  hold(executor, "executor");
  hold(other, "other");
  auto quiet = wait_for_end();
  kill(executor);
  BOOST_TEST(!quiet->arrived());
  kill(other);
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(who_dies_while_evaluating_lets_go, one_turn) {
  auto evaluator = new_worker();
  BOOST_TEST(wait(evaluator, "evaluator", quiet_stage::executed)->arrived());
  auto quiet = wait_for_end();
  BOOST_TEST(!quiet->arrived());
  kill(evaluator);
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(who_dies_while_waiting_is_not_let_in, one_turn) {
  auto executor = new_worker();
  auto evaluator = new_worker();
  hold(executor, "executor");
  wait(evaluator, "evaluator", quiet_stage::executed);
  auto quiet = wait_for_end();
  kill(evaluator);
  release(executor, "executor");
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(what_the_frontal_cortex_looks_at_is_waited_for, one_turn) {
  auto log = std::make_shared<cortex_log>();
  log->hold_back = true;
  value(ask(page, take_candidates{as_daemon("frontal_cortex"), make<cortex_stub>(log)}));
  auto insight = draft("contextual_insight", "Likes Burgundy");
  insight.confidence = 0.95;
  add(insight, as("planner"));
  auto quiet = wait_for_end();
  BOOST_REQUIRE(log->offered.size() == 1u);
  BOOST_TEST(!quiet->arrived());
  advance(std::chrono::seconds{30}); // the page waits no longer for the offer
  BOOST_TEST(quiet->arrived());
  BOOST_TEST(traced("promote", "deadline_exceeded").size() == 1u);
  log->hold_back = false;
  BOOST_TEST(value(ask(page, review_candidates{as("router")})) == 1u);
  BOOST_TEST(log->offered.size() == 2u);
  BOOST_TEST(log->offered.back() == std::vector{id(1)}, boost::test_tools::per_element());
  BOOST_TEST(value(ask(page, review_candidates{as("router")})) == 0u);
}

BOOST_FIXTURE_TEST_CASE(only_so_many_candidates_are_offered_again_with_one_turn, one_turn) {
  auto log = std::make_shared<cortex_log>();
  value(ask(page, take_candidates{as_daemon("frontal_cortex"), make<cortex_stub>(log)}));
  auto insight = draft("contextual_insight", "Likes Burgundy");
  insight.confidence = 0.95;
  for (unsigned i = 1; i <= setup.limits.max_reviewed + 1; ++i) {
    log->again.push_back(id(i));
    add(insight, as("planner"));
  }
  for (auto i = 0; i < 2; ++i)
    BOOST_TEST(value(ask(page, review_candidates{as("router")})) == setup.limits.max_reviewed);
}

BOOST_FIXTURE_TEST_CASE(what_has_left_the_page_is_not_offered_again, one_turn) {
  auto log = std::make_shared<cortex_log>();
  log->again = {id(1), id(2), id(3)};
  value(ask(page, take_candidates{as_daemon("frontal_cortex"), make<cortex_stub>(log)}));
  for (auto ttl : {60, 1, 60}) {
    auto insight = lasting(ttl, draft("contextual_insight", "Likes Burgundy"));
    insight.confidence = 0.95;
    add(insight, as("planner"));
  }
  BOOST_TEST(log->offered.size() == 3u);
  archive(id(1));
  advance(std::chrono::minutes{1}); // observation 2 expires
  BOOST_TEST(value(ask(page, review_candidates{as("router")})) == 1u);
  BOOST_TEST(log->offered.back() == std::vector{id(3)}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(whoever_keeps_a_turn_from_ending_is_in_the_trace, one_turn) {
  auto executor = new_worker();
  auto waiting = wait_for_end();
  hold(executor, "executor");
  release(executor, "executor");
  BOOST_REQUIRE(waiting->arrived());
  for (auto operation : {"hold_turn", "release_turn"}) {
    auto entries = traced(operation, "success");
    BOOST_REQUIRE(entries.size() == 1u);
    BOOST_TEST(entries[0].source == "executor");
    BOOST_TEST(entries[0].turn_id == "t");
  }
  auto waits = traced("await_quiet", "success");
  BOOST_REQUIRE(waits.size() == 1u);
  BOOST_TEST(to_text(json::value(waits[0].detail)) == R"({"stage":"ended"})");
  BOOST_TEST(!ask(page, release_turn{as("executor")}));
  BOOST_TEST(traced("release_turn", "not_found").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(who_comes_and_goes_is_in_the_trace, one_turn) {
  auto log = std::make_shared<cortex_log>();
  value(ask(page, take_candidates{as_daemon("frontal_cortex"), make<cortex_stub>(log)}));
  auto leaving = watch_page();
  value(ask(page, unsubscribe{as_daemon("probe"), leaving.handle}));
  value(ask(page, goal_closed{as_daemon("frontal_cortex"), "goal_1"}));
  for (auto operation : {"take_candidates", "unsubscribe", "goal_closed"})
    BOOST_TEST(traced(operation, "success").size() == 1u, operation);
}

BOOST_FIXTURE_TEST_CASE(only_an_open_turn_can_be_held_or_waited_for, one_turn) {
  auto by = as_daemon("executor", "another");
  BOOST_CHECK(refused(ask(page, hold_turn{by}), errc::not_found, "turn_id"));
  BOOST_CHECK(refused(ask(page, release_turn{by}), errc::not_found, "turn_id"));
  BOOST_CHECK(refused(ask(page, await_quiet{by, quiet_stage::ended}), errc::not_found, "turn_id"));
  BOOST_CHECK(refused(ask(page, open_turn{as_daemon("turns")}), errc::invalid_request, "turn_id"));
}

BOOST_FIXTURE_TEST_CASE(a_page_is_quiet_when_every_change_is_acknowledged, page_fixture) {
  start();
  auto slow = watch_page({}, {}, manner::hold_back);
  add(note("x"));
  auto quiet = send(page, await_quiet{as_daemon("shell"), quiet_stage::ended});
  settle();
  BOOST_TEST(!quiet->arrived());
  acknowledge(slow);
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(a_page_is_not_quiet_while_a_candidate_is_on_its_way, page_fixture) {
  start();
  auto log = std::make_shared<cortex_log>();
  log->hold_back = true;
  value(ask(page, take_candidates{as_daemon("frontal_cortex"), make<cortex_stub>(log)}));
  auto insight = draft("contextual_insight", "Likes Burgundy");
  insight.confidence = 0.95;
  add(insight);
  auto quiet = send(page, await_quiet{as_daemon("shell"), quiet_stage::ended});
  settle();
  BOOST_TEST(!quiet->arrived());
  advance(std::chrono::minutes{1}); // the page waits no longer for the offer
  BOOST_TEST(quiet->arrived());
}

BOOST_FIXTURE_TEST_CASE(a_page_is_not_quiet_while_something_is_overdue, page_fixture) {
  setup.limits.expiry_chunk = 1;
  start();
  for (int i = 0; i < 3; ++i)
    add(lasting(10, note("short")));
  page_clock->ahead = std::chrono::minutes{20}; // all have expired, but no timer has fired
  auto quiet = send(page, await_quiet{as_daemon("shell"), quiet_stage::ended});
  settle();
  BOOST_TEST(!quiet->arrived());
  advance(std::chrono::minutes{20});
  BOOST_TEST(quiet->arrived());
  BOOST_TEST(stats().expired == 3u);
}

} // namespace scratchpage::test
