#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/page/page_fixture.hpp"

/// A page whose storage fails: nothing changes, nothing is lost, nothing blocks (contract 4).

namespace scratchpage::test {

namespace {

/// A page whose disk is full. Observation 1 is active, 2 is resolved, 3 expires in ten minutes.
struct full_disk : page_fixture {
  probe watcher;
  std::string before;

  full_disk() {
    start();
    add(note("first"), as_daemon("planner", "t"));
    add(note("second"), as_daemon("planner", "t"));
    set_status(id(2), status::resolved);
    add(lasting(10, note("third")));
    watcher = watch_page();
    before = state();
    journal->left = 0;
  }

  std::string state() {
    auto result = to_text(to_json(stats()));
    for (const auto& x : query(asking(anything())).observations)
      result += "\n" + text_of(*x);
    for (const auto& x : archive_list().observations)
      result += "\n" + text_of(*x);
    return result;
  }

  template <class T>
  void check_refused(const caf::expected<T>& x) {
    BOOST_CHECK(refused(x, errc::storage_unavailable, ""));
    BOOST_TEST(state() == before);
    BOOST_TEST(watcher.lines().empty());
    BOOST_TEST(journal->kept.size() == 4u);
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_change_that_is_not_stored_never_happened, full_disk) {
  auto planner = as_daemon("planner");
  check_refused(try_add(note("x")));
  check_refused(try_update(id(1), {.content = "x"}));
  check_refused(try_update(id(1), {.status = status::archived}));
  check_refused(ask(page, archive_observation{planner, id(1)}));
  check_refused(try_clear({id(2)}));
  check_refused(ask(page, link_observations{planner, "goal_1", {id(1)}}));
  for (auto* operation : {"add_observation", "archive_observation", "clear_resolved"})
    BOOST_TEST(traced(operation, "storage_unavailable").size() == 1u, operation);
  BOOST_TEST(traced("update_observation", "storage_unavailable").size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(each_of_several_drafts_is_refused, full_disk) {
  auto answer = value(ask(page, add_observations{as_daemon("planner"), {note("x"), note("y")}}));
  BOOST_REQUIRE(answer.outcomes.size() == 2u);
  for (const auto& one : answer.outcomes)
    BOOST_TEST(to_string(code_of(one.error)) == "storage_unavailable");
  BOOST_TEST(state() == before);
}

BOOST_FIXTURE_TEST_CASE(reading_goes_on, full_disk) {
  BOOST_TEST(static_cast<bool>(get(id(1))));
  BOOST_TEST(numbers(query(asking({}, "third"))) == "3");
}

BOOST_FIXTURE_TEST_CASE(afterwards_ids_and_sequences_go_on_without_a_gap, full_disk) {
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(!try_add(note("x")));
  journal->left.reset();
  BOOST_TEST(add(note("fourth"))->observation_id == id(4));
  update(id(1), {.content = "changed"});
  const std::vector<std::string> told{"5 added 4", "6 updated 1"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(journal->is_gapless());
}

BOOST_FIXTURE_TEST_CASE(what_expires_meanwhile_is_not_served_and_ends_later, full_disk) {
  advance(std::chrono::minutes{10});
  BOOST_TEST(!get(id(3)));
  BOOST_TEST(numbers(query(asking())) == "1");
  BOOST_TEST(watcher.lines().empty());
  BOOST_TEST(archive_list().observations.empty());
  BOOST_TEST(stats().expired == 0u);
  BOOST_TEST(!traced("expire", "storage_unavailable").empty());
  advance(std::chrono::minutes{1});
  BOOST_TEST(stats().expired == 0u);
  journal->left.reset();
  add(note("fourth"));
  advance(std::chrono::seconds{1});
  const std::vector<std::string> told{"5 added 4", "6 expired 3"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(numbers(archive_list(with_status({status::expired}))) == "3");
  BOOST_TEST(stats().expired == 1u);
  BOOST_TEST(journal->is_gapless());
}

BOOST_FIXTURE_TEST_CASE(several_ends_that_storage_refused_all_come_later, page_fixture) {
  setup.limits.expiry_chunk = 2;
  start();
  for (auto ttl : {1, 2, 3, 4, 60})
    add(lasting(ttl, note("x")));
  auto watcher = watch_page();
  journal->left = 0;
  advance(std::chrono::minutes{5});
  BOOST_TEST(watcher.lines().empty());
  BOOST_TEST(numbers(query(asking())) == "5");
  journal->left.reset();
  advance(std::chrono::seconds{1});
  const std::vector<std::string> told{"6 expired 1", "7 expired 2", "8 expired 3", "9 expired 4"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
  BOOST_TEST(journal->is_gapless());
}

BOOST_FIXTURE_TEST_CASE(a_turn_ends_though_nothing_can_be_archived, full_disk) {
  journal->left.reset();
  auto by = as_daemon("turns", "t");
  value(ask(page, open_turn{by}));
  add(note("fourth"), as_daemon("planner", "t"));
  set_status(id(4), status::resolved);
  journal->left = 0;
  auto closed = value(ask(page, close_turn{by})).observations;
  BOOST_REQUIRE(closed.size() == 1u);
  BOOST_TEST(to_string(closed.front()->status) == "resolved");
  BOOST_TEST(numbers(query(asking(with_status({status::resolved})))) == "4 2");
  journal->left.reset();
  value(ask(page, open_turn{by}));
  value(ask(page, close_turn{by}));
  BOOST_TEST(numbers(archive_list()) == "4 2");
}

BOOST_FIXTURE_TEST_CASE(half_of_what_is_under_way_is_stored_while_the_other_gathers, page_fixture) {
  start();
  for (unsigned n = 1; n <= 8; ++n)
    send(page, add_observation{as_daemon("planner"), note(id(n))});
  settle();
  // The first add at once, then four together, then the other three.
  BOOST_TEST(journal->batches == (std::vector<size_t>{1, 4, 3}), boost::test_tools::per_element());
  BOOST_TEST(journal->is_gapless());
  BOOST_TEST(stats().observations == 8u);
}

BOOST_FIXTURE_TEST_CASE(no_more_is_stored_together_than_allowed, page_fixture) {
  setup.durability.max_batch = 3;
  start();
  for (unsigned n = 1; n <= 8; ++n)
    send(page, add_observation{as_daemon("planner"), note(id(n))});
  settle();
  BOOST_TEST(
    journal->batches == (std::vector<size_t>{1, 3, 3, 1}), boost::test_tools::per_element());
}

} // namespace scratchpage::test
