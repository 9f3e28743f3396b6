#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/scratchbook/linked_goals.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"

/// The rules that link items to goals.

namespace scratchpage::test {

namespace {

struct linked_book : book_in_the_making {
  std::string add_linked(std::string goal_id, std::string action_id = {}) {
    auto draft = draft_of(item_kind::todo, "Do it");
    draft.goal_id = std::move(goal_id);
    draft.action_id = std::move(action_id);
    return add(std::move(draft));
  }

  size_t hear(goal_status status, std::vector<std::string> done = {}) {
    return complete_linked(book, {"trip", status, std::move(done), 2}, next(), limits).size();
  }
};

goal trip_with(action_status search) {
  goal result;
  result.goal_id = "trip";
  result.status = goal_status::in_progress;
  result.pending_actions = {{.action_id = "search", .action_type = "x", .status = search}};
  return result;
}

/// The goal with an action that a person has to do.
goal trip_to_pay() {
  auto result = trip_with(action_status::pending);
  result.pending_actions.push_back(
    {.action_id = "pay", .action_type = "x", .assigned_to = assignee::user});
  return result;
}

scratchbook_item item_of(std::string action_id, item_status status = item_status::open) {
  scratchbook_item result;
  result.goal_id = "trip";
  result.action_id = std::move(action_id);
  result.status = status;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(item_links)

BOOST_FIXTURE_TEST_CASE(open_items_await_their_goals_each_once, linked_book) {
  add_linked("trip");
  add_linked("trip", "search");
  add_linked("house");
  set(add_linked("garden"), item_status::done);
  set(add_linked("cellar"), item_status::archived);
  add(item_kind::note, "by itself");
  const std::vector<std::string> expected{"house", "trip"};
  BOOST_TEST(awaited_goals(book) == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(only_what_is_done_is_completed, linked_book) {
  add_linked("trip");
  add_linked("trip", "search");
  add_linked("trip", "pay");
  add_linked("house", "search");
  BOOST_TEST(hear(goal_status::in_progress) == 0u);
  BOOST_TEST(hear(goal_status::blocked) == 0u);
  BOOST_TEST(hear(goal_status::abandoned) == 0u);
  BOOST_TEST(hear(goal_status::in_progress, {"search"}) == 1u);
  BOOST_TEST(hear(goal_status::in_progress, {"search"}) == 0u);
  BOOST_TEST(hear(goal_status::completed, {"search"}) == 1u); // only the goal's own item
  BOOST_TEST((book.items[2].status == item_status::open));    // `pay` is not done
  BOOST_TEST((book.items[3].status == item_status::open));
}

BOOST_AUTO_TEST_CASE(an_item_completes_only_when_it_becomes_done) {
  auto open = item_of("search");
  auto done = item_of("search", item_status::done);
  BOOST_TEST(completes_link(open, done));
  BOOST_TEST(completes_link(item_of("search", item_status::archived), done));
  BOOST_TEST(!completes_link(done, done));
  BOOST_TEST(!completes_link(open, open));
  done.goal_id.clear();
  BOOST_TEST(!completes_link(open, done));
}

BOOST_AUTO_TEST_CASE(there_is_something_to_complete_as_long_as_it_is_open) {
  BOOST_TEST(is_to_complete(item_of(""), trip_with(action_status::done)));
  BOOST_TEST(is_to_complete(item_of("search"), trip_with(action_status::pending)));
  BOOST_TEST(is_to_complete(item_of("search"), trip_with(action_status::in_progress)));
  BOOST_TEST(!is_to_complete(item_of("search"), trip_with(action_status::done)));
  BOOST_TEST(!is_to_complete(item_of("search"), trip_with(action_status::cancelled)));
  BOOST_TEST(!is_to_complete(item_of("gone"), trip_with(action_status::pending)));
  for (auto over : {goal_status::completed, goal_status::abandoned}) {
    auto x = trip_with(action_status::pending);
    x.status = over;
    BOOST_TEST(!is_to_complete(item_of(""), x));
    BOOST_TEST(!is_to_complete(item_of("search"), x));
  }
}

BOOST_AUTO_TEST_CASE(an_item_that_an_agent_wrote_gives_no_word_of_a_person) {
  auto trip = trip_with(action_status::pending);
  trip.pending_actions.push_back(
    {.action_id = "pay", .action_type = "x", .assigned_to = assignee::user});
  trip.pending_actions.push_back(
    {.action_id = "send", .action_type = "x", .requires_confirmation = true});
  for (const auto* by : {"", "daemon other", "user ann, relayed by other"}) {
    for (const auto* action : {"pay", "send"}) {
      auto item = item_of(action);
      item.written_by = by;
      BOOST_TEST(is_confirmation(item, trip), by);
      item.written_by = "user ann";
      BOOST_TEST(!is_confirmation(item, trip), action);
    }
    auto item = item_of("search");
    item.written_by = by;
    BOOST_TEST(!is_confirmation(item, trip), by);
  }
}

BOOST_AUTO_TEST_CASE(an_item_gives_a_persons_word_only_if_a_person_wrote_and_linked_all_of_it) {
  auto gives_word = [](auto change) {
    auto item = item_of("pay");
    item.written_by = "user ann";
    item.body = "by Friday";
    change(item);
    return !is_confirmation(item, trip_to_pay());
  };
  const std::string other = "daemon other";
  BOOST_TEST(gives_word([](auto&) {}));
  BOOST_TEST(gives_word([&](auto& x) { x.marked_by = other; }));
  BOOST_TEST(gives_word([](auto& x) { x.linked_by = "user bob"; }));
  for (const auto& who : {other, std::string{}, std::string{"user ann, relayed by other"}}) {
    BOOST_TEST(!gives_word([&](auto& x) { x.linked_by = who; }), who);
    BOOST_TEST(!gives_word([&](auto& x) { x.title_by = who; }), who);
    BOOST_TEST(!gives_word([&](auto& x) { x.body_by = who; }), who);
  }
}

BOOST_FIXTURE_TEST_CASE(who_changes_one_part_of_an_agents_item_gives_no_word_with_it, linked_book) {
  auto draft = draft_of(item_kind::todo, "Buy milk", "two litres");
  draft.goal_id = "trip";
  draft.action_id = "pay";
  auto id = add_item(book, draft, next(), limits, "daemon other")->id;
  auto change = [&](auto member, auto value) {
    item_changes changes;
    changes.*member = value;
    auto now = update_item(book, id, changes, next(), limits, "user ann");
    BOOST_REQUIRE(now);
    return is_confirmation(*now, trip_to_pay());
  };
  BOOST_TEST(change(&item_changes::tags, std::vector<std::string>{"shopping"}));
  BOOST_TEST(change(&item_changes::title, std::string{"Buy oat milk"}));
  BOOST_TEST(change(&item_changes::body, std::string{"three litres"})); // an agent linked it
}

BOOST_FIXTURE_TEST_CASE(
  an_item_of_a_person_gives_their_word_until_others_change_its_words, linked_book) {
  auto draft = draft_of(item_kind::todo, "Pay the trip", "by Friday");
  draft.goal_id = "trip";
  draft.action_id = "pay";
  auto id = add_item(book, draft, next(), limits, "user ann")->id;
  auto change = [&](const char* by, auto member, auto value) {
    item_changes changes;
    changes.*member = value;
    auto now = update_item(book, id, changes, next(), limits, by);
    BOOST_REQUIRE(now);
    return is_confirmation(*now, trip_to_pay());
  };
  using text = std::string;
  BOOST_TEST(!change("daemon other", &item_changes::tags, std::vector<text>{"milk"}));
  BOOST_TEST(change("daemon other", &item_changes::title, text{"Buy milk"}));
  BOOST_TEST(change("user ann", &item_changes::body, text{"two litres"}));
  BOOST_TEST(!change("user ann", &item_changes::title, text{"Pay the trip"}));
  BOOST_TEST(change("daemon other", &item_changes::body, text{"or the milk"}));
  BOOST_TEST(change("user ann", &item_changes::title, text{"Pay the whole trip"}));
  BOOST_TEST(!change("user ann", &item_changes::body, text{}));
}

BOOST_AUTO_TEST_CASE(what_watchers_hear_of_a_goal_names_what_is_done) {
  auto x = trip_with(action_status::done);
  x.pending_actions.push_back({.action_id = "pay", .action_type = "x"});
  x.revision = 7;
  auto told = change_of(x);
  BOOST_TEST(told.goal_id == "trip");
  BOOST_TEST(told.revision == 7u);
  BOOST_TEST((told.done == std::vector<std::string>{"search"}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
