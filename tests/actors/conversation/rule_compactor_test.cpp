#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/conversation/rule_compactor.hpp"
#include "scratchpage/tests/actors/conversation/messages.hpp"
#include "scratchpage/tests/actors/scratchbook/books.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

struct a_conversation : book_in_the_making {
  compact_messages material;
  rule_compactor_config config;

  a_conversation() { material.path = "conversation_history/trip.md"; }

  compaction_plan plan() {
    material.scratchbook = book;
    return compact_by_rules(material, config);
  }

  /// The planned next actions, as "TITLE | BODY #TAG".
  std::vector<std::string> actions() {
    std::vector<std::string> result;
    for (const auto& x : plan().next_actions) {
      BOOST_TEST(name_of(x.kind) == "todo");
      result.push_back(x.title + (x.body.empty() ? "" : " | " + x.body) + " #" + x.tags.at(0));
    }
    return result;
  }

  void check_actions(const std::vector<std::string>& expected) {
    BOOST_TEST(actions() == expected, boost::test_tools::per_element());
  }
};

goal unmet(std::string id, std::string title) {
  goal x;
  x.goal_id = std::move(id);
  x.title = std::move(title);
  return x;
}

} // namespace

BOOST_AUTO_TEST_SUITE(compaction_by_rules)

BOOST_FIXTURE_TEST_CASE(
  says_what_left_and_where_it_is, a_conversation, *label("SB_3") * label("SB_a6")) {
  material.offloaded = {user("I want to fly\nto Paris"), calling("c1", "search"),
    answering("c1", "search", "three flights"), assistant("I found three."), user("The first")};
  material.kept = {calling("c2", "search"), answering("c2", "search", "none"), assistant("Done.")};
  auto made = plan();
  BOOST_TEST(made.summary_id == "");
  BOOST_TEST(made.summary.title == "5 earlier messages are in conversation_history/trip.md");
  BOOST_TEST(made.summary.body
             == "The user said: I want to fly to Paris; The first. Tools called: search 2x.");
  BOOST_TEST(made.summary.tags.at(0) == summary_tag);
  BOOST_TEST(made.next_actions.empty());
}

BOOST_FIXTURE_TEST_CASE(goes_on_with_the_summary_that_is_there, a_conversation) {
  auto draft = draft_of(item_kind::note, "5 earlier messages are elsewhere");
  draft.tags = {summary_tag};
  auto id = add(draft);
  material.offloaded = {assistant("Hello."), assistant("Hello again.")};
  auto made = plan();
  BOOST_TEST(made.summary_id == id);
  BOOST_TEST(made.summary.title == "7 earlier messages are in conversation_history/trip.md");
  BOOST_TEST(made.summary.body == "");
  set(id, item_status::archived);
  BOOST_TEST(plan().summary_id == "");
}

BOOST_FIXTURE_TEST_CASE(keeps_the_question_that_nobody_has_answered, a_conversation) {
  material.offloaded = {user("Hello"), assistant("Fine. When do you want to fly? Tell me.")};
  check_actions({"The user has yet to answer: When do you want to fly? #question"});
  material.kept = {user("On Monday. Is there a direct one?")};
  check_actions({"Answer the user: Is there a direct one? #question"});
  material.kept.push_back(calling("c1", "search"));
  material.kept.push_back(answering("c1", "search", "one?"));
  check_actions({"Answer the user: Is there a direct one? #question"});
  material.kept.push_back(assistant("Yes."));
  check_actions({});
  material.kept.push_back(user("Then book it."));
  check_actions({}); // the conversation goes on with it
}

BOOST_FIXTURE_TEST_CASE(keeps_which_tools_failed_and_what_was_tried, a_conversation) {
  material.offloaded = {calling("c1", "book", R"({"flight": 1})"),
    answering("c1", "book", "Error: card refused"), calling("c2", "book", R"({"flight": 2})"),
    answering("c2", "book", R"({"error": "seat is gone"})"), calling("c3", "search"),
    answering("c3", "search", "Error: busy"), calling("c4", "search"),
    answering("c4", "search", R"({"found": 3, "error": null})")};
  check_actions(
    {R"(book failed: seat is gone | Tried: {"flight": 1}; {"flight": 2} #failed_tool)"});
}

BOOST_FIXTURE_TEST_CASE(keeps_pending_confirmations_and_unmet_goals, a_conversation) {
  observation asked;
  asked.observation_id = "obs_20251105_007";
  asked.content = "May I pay 300 dollars?";
  material.pending = {observation_ptr{asked}};
  material.goals = {unmet("g1", "Be in Paris"), unmet("g2", "Save money"), unmet("g3", "Rest")};
  material.goals[1].status = goal_status::completed;
  material.goals[2].status = goal_status::abandoned;
  auto made = plan();
  BOOST_REQUIRE(made.next_actions.size() == 2u);
  BOOST_TEST(made.next_actions[0].title == "Get the user's answer: May I pay 300 dollars?");
  BOOST_TEST(made.next_actions[0].observation_id == "obs_20251105_007");
  BOOST_TEST(made.next_actions[1].title == "Reach the goal: Be in Paris");
  BOOST_TEST(made.next_actions[1].goal_id == "g1");
}

BOOST_FIXTURE_TEST_CASE(adds_nothing_that_is_open_already, a_conversation) {
  material.offloaded = {user("Book it?")};
  material.goals = {unmet("g1", "Be in Paris")};
  auto linked = draft_of(item_kind::task, "Fly");
  linked.goal_id = "g1";
  add(linked);
  auto todo = add(item_kind::todo, "Answer the user: Book it?");
  check_actions({});
  set(todo, item_status::done); // it was done, so the same question is new
  check_actions({"Answer the user: Book it? #question"});
}

BOOST_FIXTURE_TEST_CASE(is_bounded_and_the_same_each_time, a_conversation) {
  for (int i = 0; i < 100; ++i) {
    auto n = std::to_string(i);
    material.offloaded.push_back(user("Please " + std::string(500, 'x') + n));
    material.offloaded.push_back(calling(n, "tool" + n, std::string(5'000, 'y')));
    material.offloaded.push_back(answering(n, "tool" + n, "Error " + std::string(5'000, 'z')));
  }
  auto made = plan();
  BOOST_TEST(made.next_actions.size() == 20u);
  BOOST_TEST(!add_item(book, made.summary, next(), limits) == false);
  for (const auto& x : made.next_actions)
    BOOST_TEST(static_cast<bool>(add_item(book, x, next(), limits)));
  auto again = compact_by_rules(material, config);
  BOOST_TEST(again.summary.body == made.summary.body);
}

BOOST_FIXTURE_TEST_CASE(survives_any_text, a_conversation) {
  material.offloaded = {user("?"), assistant("\xff??\n?"), user("."), answering("x", "y", "{")};
  check_actions({});
}

BOOST_FIXTURE_TEST_CASE(closes_what_it_opened_when_it_is_over, a_conversation) {
  observation asked;
  asked.observation_id = "obs_20251105_007";
  asked.content = "May I pay 300 dollars?";
  material.pending = {observation_ptr{asked}};
  material.goals = {unmet("g1", "Be in Paris"), unmet("g2", "Save money")};
  material.kept = {calling("c1", "book"), answering("c1", "book", "Error: card refused"),
    assistant("When do you want to fly?")};
  auto closed = [&] {
    material.scratchbook = book;
    return closed_todos(material, config).size();
  };
  for (const auto& one : plan().next_actions)
    add(one);
  add(item_kind::todo, "Buy a hat");
  BOOST_TEST(closed() == 0u);

  material.kept.push_back(user("On Monday"));
  BOOST_TEST(closed() == 1u);
  material.pending.clear();
  BOOST_TEST(closed() == 2u);
  material.goals[0].status = goal_status::abandoned;
  BOOST_TEST(closed() == 3u);
  material.kept.push_back(calling("c2", "book"));
  BOOST_TEST(closed() == 3u);
  material.kept.push_back(answering("c2", "book", "booked"));
  BOOST_TEST(closed() == 4u);
  material.goals[1].status = goal_status::completed;
  BOOST_TEST(closed() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
