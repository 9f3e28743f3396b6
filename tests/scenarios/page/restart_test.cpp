#include <boost/test/unit_test.hpp>

#include <random>

#include "scratchpage/tests/scenarios/page/kept_page.hpp"

/// A new page on the store of an ended one: callers see the same page (docs/durability.md,
/// "Recovery").

namespace scratchpage::test {

BOOST_FIXTURE_TEST_CASE(
  what_came_in_turns_has_one_share_after_a_restart_as_nobody_knows_whose_it_is, kept_page) {
  setup.limits.max_observations = 5;
  setup.limits.max_protected_per_source = 3;
  begin();
  value(ask(page, open_turn{as_user("ann", "t")}));
  for (auto i = 0; i < 5; ++i)
    add(draft("alert", "Fire"), as_daemon("executor", "t"));
  BOOST_CHECK(refused(try_add(note("x")), errc::overloaded, "max_observations"));
  restart();
  add(note("x"));
  BOOST_TEST(numbers(query(asking(anything()))) == "6 5 3 2 1");
}

BOOST_FIXTURE_TEST_CASE(evidence_beyond_a_share_may_go_after_a_restart_as_before, kept_page) {
  setup.limits.max_observations = 5;
  setup.limits.max_protected_per_source = 3;
  goals = {{"goal_1", true}};
  begin();
  for (auto i = 0; i < 5; ++i)
    add(note("Smoke"));
  link("goal_1", {id(1), id(2), id(3), id(4), id(5)});
  restart();
  add(note("x"));
  BOOST_TEST(numbers(query(asking(anything()))) == "6 5 3 2 1");
}

BOOST_FIXTURE_TEST_CASE(a_page_is_the_same_after_a_restart, kept_page) {
  begin();
  add(note("first", {"wine"}));
  add(lasting(10, note("second")));
  add(draft("alert", "third"));
  update(id(1), {.content = "changed", .tags = std::vector<std::string>{"tea"}});
  set_status(id(3), status::resolved);
  add(note("fourth"));
  archive(id(4));
  advance(std::chrono::minutes{1});
  auto before = state();
  restart();
  BOOST_TEST(state() == before);
  BOOST_TEST(numbers(query(asking(with_tags({"tea"})))) == "1");
  BOOST_TEST(numbers(query(asking({}, "second"))) == "2");
}

BOOST_FIXTURE_TEST_CASE(ids_and_sequences_go_on_after_a_restart, kept_page) {
  begin();
  add(note("first"));
  add(note("second"));
  archive(id(2)); // the last id is not on the page
  restart();
  BOOST_TEST(add(note("third"))->observation_id == id(3));
  BOOST_TEST(stats().sequence == 4u);
}

BOOST_FIXTURE_TEST_CASE(what_expired_while_nobody_ran_ends_first, kept_page) {
  begin();
  add(lasting(10, note("short")));
  add(lasting(60, note("long")));
  stop();
  advance(std::chrono::minutes{20});
  begin();
  BOOST_TEST(!get(id(1)));
  BOOST_TEST(numbers(query(asking())) == "2");
  BOOST_TEST(stats().expired == 1u);
  BOOST_TEST(numbers(archive_list(with_status({status::expired}))) == "1");
  auto watcher = watch_page({}, 2);
  const std::vector<std::string> told{"3 expired 1"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(deadlines_are_those_from_before_the_restart, kept_page) {
  begin();
  add(lasting(10, note("short")));
  advance(std::chrono::minutes{6});
  restart();
  advance(std::chrono::minutes{3});
  BOOST_TEST(static_cast<bool>(get(id(1))));
  advance(std::chrono::minutes{1});
  BOOST_TEST(!get(id(1)));
}

BOOST_FIXTURE_TEST_CASE(a_subscriber_goes_on_where_it_was, kept_page) {
  begin();
  add(note("first"));
  add(note("second"));
  add(note("third"));
  restart();
  auto watcher = watch_page({}, 1);
  add(note("fourth"));
  const std::vector<std::string> told{"2 added 2", "3 added 3", "4 added 4"};
  BOOST_TEST(watcher.lines() == told, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(who_saw_what_a_crash_took_back_is_told, kept_page) {
  begin();
  add(note("first"));
  add(note("second"));
  auto epoch = stats().epoch;
  restart(); // the second subscriber claims to have seen five changes
  add(note("third"));
  add(note("fourth"));
  auto lucky = new_probe();
  auto order = order_of(lucky, {}, 2);
  order.from.epoch = epoch;
  value(ask(page, order));
  const std::vector<std::string> all{"3 added 3", "4 added 4"};
  BOOST_TEST(lucky.lines() == all, boost::test_tools::per_element());
  auto unlucky = new_probe();
  order = order_of(unlucky, {}, 5);
  order.from.epoch = epoch;
  value(ask(page, order));
  const std::vector<std::string> told{
    "4 lagged 3", "4 current 1", "4 current 2", "4 current 3", "4 current 4"};
  BOOST_TEST(unlucky.lines() == told, boost::test_tools::per_element());
  add(note("fifth"));
  BOOST_TEST(unlucky.lines().back() == "5 added 5");
}

/// A subscriber with a name. After it comes back, it gets the events after its last position.
struct named_subscriber : kept_page {
  probe come(std::optional<uint64_t> from = {}) {
    auto who = new_probe();
    auto order = order_of(who, {}, from);
    order.keep_as = "analyst";
    value(ask(page, std::move(order)));
    return who;
  }

  using lines = std::vector<std::string>;
};

BOOST_FIXTURE_TEST_CASE(a_subscriber_with_a_name_goes_on_where_it_was, named_subscriber) {
  begin();
  add(note("before"));
  auto first = come();
  add(note("seen"));
  end(first);
  add(note("while nobody listened"));
  auto second = come();
  settle();
  BOOST_TEST(second.lines() == (lines{"3 added 3"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(also_after_a_restart_of_the_page, named_subscriber) {
  begin();
  auto first = come(0);
  add(note("seen"));
  restart();
  add(note("while nobody listened"));
  restart();
  auto second = come();
  settle();
  BOOST_TEST(second.lines() == (lines{"2 added 2"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_sequence_says_more_than_a_name, named_subscriber) {
  begin();
  auto first = come(0);
  add(note("seen"));
  end(first);
  auto second = come(0);
  settle();
  BOOST_TEST(second.lines() == (lines{"1 added 1"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(who_comes_under_a_name_takes_the_place_of_who_had_it, named_subscriber) {
  begin();
  auto first = come();
  auto second = come();
  add(note("news"));
  BOOST_TEST(first.lines().empty());
  BOOST_TEST(second.lines() == (lines{"1 added 1"}), boost::test_tools::per_element());
  BOOST_TEST(stats().subscribers == 1u);
}

BOOST_FIXTURE_TEST_CASE(who_unsubscribes_is_forgotten, named_subscriber) {
  begin();
  auto first = come();
  add(note("seen"));
  BOOST_REQUIRE(!!ask(page, unsubscribe{as_daemon("analyst"), first.handle}));
  add(note("missed"));
  restart();
  auto second = come();
  add(note("news"));
  BOOST_TEST(second.lines() == (lines{"3 added 3"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(no_more_names_are_kept_than_may_be, named_subscriber) {
  setup.limits.max_positions = 1;
  begin();
  come();
  auto order = order_of(new_probe());
  order.keep_as = "other";
  auto refused_one = ask(page, order);
  BOOST_TEST(refused(refused_one, errc::overloaded, "keep_as"));
  for (const auto& name : {std::string(300, 'x'), std::string(1, '\0')}) {
    order.keep_as = name;
    BOOST_TEST(refused(ask(page, order), errc::invalid_request, "keep_as"));
  }
}

BOOST_FIXTURE_TEST_CASE(a_position_that_storage_refused_is_kept_with_the_next, named_subscriber) {
  begin();
  auto first = come();
  auto later = kept->claim("tester"); // from now on storage refuses this page's writes
  std::ignore = try_add(note("refused"));
  advance(std::chrono::minutes{1});
  BOOST_TEST(first.lines().empty());
  restart();
  auto second = come();
  add(note("news"));
  BOOST_TEST(second.lines() == (lines{"1 added 1"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(with_async_a_change_is_visible_before_it_is_kept, kept_page) {
  setup.durability.durability = durability::async;
  setup.durability.async_changes = 2;
  begin();
  kept->claim("tester"); // from now on storage takes nothing any more
  BOOST_TEST(static_cast<bool>(try_add(note("first"))));
  BOOST_TEST(static_cast<bool>(try_add(note("second"))));
  BOOST_TEST(numbers(query(asking())) == "2 1");
  auto third = start_add(note("third")); // beyond `async_changes` it waits for storage
  BOOST_TEST(!third->arrived());
  advance(std::chrono::seconds{2});
  BOOST_REQUIRE(third->arrived());
  BOOST_TEST(refused(*third->value, errc::storage_unavailable, ""));
  BOOST_TEST(numbers(query(asking())) == "2 1");
  restart();
  BOOST_TEST(numbers(query(asking())) == "");
}

BOOST_FIXTURE_TEST_CASE(an_id_that_was_seen_and_lost_is_never_used_again, kept_page) {
  setup.durability.durability = durability::async;
  setup.durability.async_changes = 2;
  begin();
  add(note("kept"));
  kept->claim("tester"); // from now on storage takes nothing any more
  add(note("lost"));
  add(note("lost too"));
  setup.durability.durability = durability::sync;
  restart();
  restart(); // a second time, without changes in between
  BOOST_TEST(numbers(query(asking())) == "1");
  BOOST_TEST(add(note("new"))->observation_id == id(4));
  restart(); // after a page that lost nothing
  BOOST_TEST(add(note("newer"))->observation_id == id(5));
}

BOOST_FIXTURE_TEST_CASE(with_async_everything_is_kept_in_the_end, kept_page) {
  setup.durability.durability = durability::async;
  begin();
  for (int i = 0; i < 20; ++i)
    add(note("n"));
  archive(id(3));
  auto before = state();
  advance(std::chrono::milliseconds{5});
  restart();
  BOOST_TEST(state() == before);
}

BOOST_FIXTURE_TEST_CASE(with_async_changes_gather_before_they_are_saved_together, kept_page) {
  setup.durability.durability = durability::async;
  setup.durability.async_changes = 9;
  begin();
  auto commits = [this] { return value(ask(journal_of_store, caf::get_atom_v)).commits; };
  for (int i = 0; i < 9; ++i)
    add(note("n"));
  BOOST_TEST(commits() == 1u); // the first change, at once
  advance(std::chrono::milliseconds{5});
  BOOST_TEST(commits() == 2u);
  advance(std::chrono::milliseconds{5});
  add(note("after a rest")); // at once, since the last write is long ago
  for (int i = 0; i < 9; ++i)
    add(note("n"));
  BOOST_TEST(commits() == 3u);
  auto beyond = start_add(note("one that waits for storage"));
  BOOST_TEST(beyond->arrived());
  BOOST_TEST(commits() == 4u);
}

BOOST_FIXTURE_TEST_CASE(a_registered_type_is_still_known, kept_page) {
  begin();
  value(ask(page, register_type{as_admin("root"), "sighting"}));
  restart();
  BOOST_TEST(add(draft("sighting", "a heron"))->type == "sighting");
}

BOOST_FIXTURE_TEST_CASE(evidence_of_an_open_goal_is_still_never_evicted, kept_page) {
  setup.limits.max_observations = 2;
  begin();
  add(note("evidence"));
  add(note("other"));
  link("goal_1", {id(1)});
  goals["goal_1"] = true;
  restart();
  add(note("third"));
  BOOST_TEST(numbers(query(asking())) == "3 1");
  goals["goal_1"] = false; // the goal is closed
  restart();
  add(note("fourth"));
  BOOST_TEST(numbers(query(asking())) == "4 3");
}

BOOST_FIXTURE_TEST_CASE(links_to_a_goal_that_was_never_kept_are_undone, kept_page) {
  begin();
  add(note("evidence"));
  link("goal_1", {id(1)});
  BOOST_TEST(get(id(1))->linked_to_goal);
  restart(); // the process ended before the goal was kept
  BOOST_TEST(!get(id(1))->linked_to_goal);
  BOOST_TEST(get(id(1))->linked_goal_ids.empty());
  restart();
  BOOST_TEST(stats().sequence == 3u); // undone only once
}

BOOST_FIXTURE_TEST_CASE(what_left_the_page_is_found_after_a_restart, kept_page) {
  begin();
  for (int i = 0; i < 5; ++i) {
    add(note("n", {i % 2 == 0 ? "even" : "odd"}));
    archive(id(static_cast<unsigned>(i) + 1));
  }
  add(lasting(1, note("short", {"even"})));
  advance(std::chrono::minutes{2});
  auto all = numbers(archive_list());
  auto even = numbers(archive_list(with_tags({"even"})));
  auto expired = numbers(archive_list(with_status({status::expired})));
  BOOST_TEST(all == "6 5 4 3 2 1");
  restart();
  BOOST_TEST(numbers(archive_list()) == all);
  BOOST_TEST(numbers(archive_list(with_tags({"even"}))) == even);
  BOOST_TEST(numbers(archive_list(with_status({status::expired}))) == expired);
}

BOOST_FIXTURE_TEST_CASE(a_long_archive_is_paged_without_loss_while_more_leaves, kept_page) {
  begin();
  for (unsigned i = 1; i <= 20; ++i) {
    add(note("n"));
    archive(id(i));
  }
  std::string seen;
  list_archive request{as_daemon("reader"), {}, 6, ""};
  for (int page_number = 0; page_number == 0 || !request.cursor.empty(); ++page_number) {
    auto found = value(ask(page, request));
    BOOST_TEST(found.total_count == 20u + static_cast<unsigned>(page_number));
    seen += (seen.empty() ? "" : " ") + numbers(found);
    request.cursor = found.next_cursor;
    add(note("more")); // archived between two pages of the list
    archive(id(21 + static_cast<unsigned>(page_number)));
  }
  BOOST_TEST(seen == "20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1");
}

BOOST_FIXTURE_TEST_CASE(a_page_is_the_same_after_any_history_and_restart, kept_page) {
  setup.limits.max_observations = 12;
  journal_limits.fold_at_once = 3;
  std::mt19937 random{20251105};
  begin();
  for (int step = 0; step < 600; ++step) {
    auto which = id(1 + static_cast<unsigned>(random() % (step + 1)));
    switch (random() % 8) {
    case 0:
    case 1:
    case 2:
      std::ignore = try_add(lasting(1.0 + static_cast<double>(random() % 90), note("n")));
      break;
    case 3:
      std::ignore = try_update(which, {.content = "c" + std::to_string(step)});
      break;
    case 4:
      std::ignore = try_update(which, {.status = static_cast<status>(random() % 4)});
      break;
    case 5:
      std::ignore = try_update(which, {.ttl_minutes = 5});
      break;
    case 6:
      advance(std::chrono::seconds{random() % 400});
      break;
    default:
      auto before = state();
      restart();
      BOOST_REQUIRE_EQUAL(state(), before);
    }
  }
}

} // namespace scratchpage::test
