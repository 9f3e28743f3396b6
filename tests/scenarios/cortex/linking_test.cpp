#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

namespace scratchpage::test {

namespace {

constexpr const char* flight = "book_flight_to_paris";

pending_action action_of(const goal& x, std::string_view action_id) {
  auto i = std::find_if(x.pending_actions.begin(), x.pending_actions.end(),
    [&](const pending_action& one) { return one.action_id == action_id; });
  BOOST_REQUIRE(i != x.pending_actions.end());
  return *i;
}

/// A team with a goal that has one action of the agent and one of the user.
struct booking_team : cortex_team {
  void begin() {
    start();
    make_goal(flight,
      {{.action_id = "search_flights", .action_type = "search"}, {.action_id = "confirm_flight_123",
                                                                   .action_type = "confirm",
                                                                   .assigned_to = assignee::user}});
  }

  std::string status_of(std::string_view action_id) {
    return to_string(action_of(goal_of(flight), action_id).status);
  }

  std::vector<observation_ptr> about_action(const char* action_id) {
    observation_filter filter;
    filter.context["pending_action_id"] = json::value(action_id);
    return query(std::move(filter)).observations;
  }
};

/// The question of a tool that found a flight.
observation_draft question() {
  auto result = draft("pending_confirmation", "Waiting for user to confirm flight selection", 0.9);
  result.owner = "user";
  result.context = {{"pending_action_id", "confirm_flight_123"}, {"thread_id", "main"}};
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(linking)

BOOST_FIXTURE_TEST_CASE(
  an_observation_is_linked_to_the_goal_it_refers_to, booking_team, *label("SP_goal_link")) {
  auto results = in_context(
    draft("contextual_insight", "Found 3 flights matching criteria"), {{"goal_id", flight}});
  add_tool({.tool_id = "flight_search"}, {reporting({results})});
  begin();
  auto turn = use("flight_search");
  auto x = only("contextual_insight");
  BOOST_TEST(x->confidence == 0.5); // linked by its reference, below the threshold
  BOOST_TEST(x->linked_to_goal);
  BOOST_TEST(x->linked_goal_ids == texts{flight}, per_element());
  BOOST_TEST(to_string(x->status) == "active");
  auto goal = only_goal();
  BOOST_TEST(goal.observation_ids == ids_of({x}), per_element());
  BOOST_TEST(goal.observation_id == x->observation_id);
  auto related = about_goal(flight).observations;
  BOOST_TEST(ids_of(related) == ids_of({x}), per_element());
  BOOST_REQUIRE(turn.goals.size() == 1u);
  BOOST_TEST(turn.goals.front().goal_id == flight);
  BOOST_TEST(text_at(only_entry("link_observation", x).detail, "goal_id") == flight);
  BOOST_TEST(only_entry("extend_goal", x).turn_id == turn.turn_id);
}

BOOST_FIXTURE_TEST_CASE(
  a_reference_to_a_goal_that_does_not_exist_makes_none, booking_team, *label("SP_goal_link")) {
  begin();
  auto x = note("Found 3 hotels", 0.5, {}, "book_hotel");
  BOOST_TEST(goals().size() == 1u);
  BOOST_TEST(!still(x)->linked_to_goal);
  BOOST_TEST(about_goal("book_hotel").total_count == 1u);
}

BOOST_FIXTURE_TEST_CASE(
  the_users_answer_completes_the_users_action, booking_team, *label("SP_action_link")) {
  add_tool({.tool_id = "flight_search"}, {reporting({question()})});
  begin();
  auto asking = use("flight_search");
  BOOST_TEST(to_string(asking.status) == "waiting");
  auto asked = about_action("confirm_flight_123");
  BOOST_REQUIRE(asked.size() == 1u);
  BOOST_TEST(asked.front()->type == "pending_confirmation");
  BOOST_TEST(status_of("confirm_flight_123") == "pending");

  auto answering = say("Yes, the morning flight please");
  BOOST_TEST(!get(asked.front())); // answered, resolved and archived
  BOOST_TEST(to_string(archived_as(asked.front())) == "archived");
  BOOST_TEST(status_of("confirm_flight_123") == "done");
  BOOST_TEST(status_of("search_flights") == "pending");
  BOOST_TEST(only_entry("action_done", asked.front()).turn_id == answering.turn_id);
  BOOST_TEST(to_string(action_of(store->kept.at(flight), "confirm_flight_123").status) == "done");
}

BOOST_FIXTURE_TEST_CASE(
  the_agent_never_completes_the_users_action, booking_team, *label("SP_action_link")) {
  begin();
  auto asked = note(question());
  update_observation guess{as_daemon("executor"), asked->observation_id, {}, {}};
  guess.changes.status = status::resolved;
  value(ask(host->page(), std::move(guess)));
  say("Hello there");
  BOOST_TEST(status_of("confirm_flight_123") == "pending");
  auto by_agent =
    ask(host->cortex(), complete_action{as_daemon("executor"), flight, "confirm_flight_123"});
  BOOST_REQUIRE(!by_agent);
  BOOST_TEST(to_string(code_of(by_agent.error())) == "forbidden");
  BOOST_TEST(status_of("confirm_flight_123") == "pending");
  value(ask(host->cortex(), complete_action{as_user("ann"), flight, "confirm_flight_123"}));
  BOOST_TEST(status_of("confirm_flight_123") == "done");
}

BOOST_FIXTURE_TEST_CASE(
  a_turns_end_moves_progress_and_actions, booking_team, *label("SP_progress")) {
  auto found = in_context(draft("observation", "Found 3 flights matching criteria", 0.95),
    {{"goal_id", flight}, {"pending_action_id", "search_flights"}});
  found.status = status::pending_review; // the Evaluator resolves it
  add_tool({.tool_id = "flight_search"}, {reporting({found})});
  begin();
  auto revision = goal_of(flight).revision;
  auto turn = use("flight_search");
  auto moved = goal_of(flight);
  BOOST_TEST(status_of("search_flights") == "done");
  BOOST_TEST(status_of("confirm_flight_123") == "pending");
  BOOST_TEST(moved.progress >= 0.5); // one of two actions
  BOOST_TEST(moved.progress < 1);
  BOOST_TEST(to_string(moved.status) == "in_progress");
  BOOST_TEST(moved.revision > revision);

  BOOST_REQUIRE(turn.goals.size() == 1u);
  BOOST_TEST(turn.goals.front().progress == moved.progress);
  BOOST_REQUIRE(turn.pending_actions.size() == 1u);
  BOOST_TEST(turn.pending_actions.front().action_id == "confirm_flight_123");
  BOOST_TEST(store->kept.at(flight).revision == moved.revision);

  auto all = trace->entries();
  auto place = [&](std::string_view operation) {
    auto i = std::find_if(
      all.begin(), all.end(), [&](const trace_entry& x) { return x.operation == operation; });
    BOOST_REQUIRE(i != all.end());
    return i - all.begin();
  };
  BOOST_TEST(place("evaluate") < place("close_turn"));
  BOOST_TEST(place("close_turn") < place("goal_progress"));
  BOOST_TEST(place("close_turn") < place("action_done"));
  BOOST_TEST(place("action_done") < place("end_turn"));
  BOOST_TEST(only_entry("action_done").turn_id == turn.turn_id);
}

BOOST_FIXTURE_TEST_CASE(the_last_action_completes_the_goal, booking_team, *label("SP_progress")) {
  auto found = in_context(draft("observation", "Found 3 flights matching criteria", 0.95),
    {{"goal_id", flight}, {"pending_action_id", "search_flights"}});
  found.status = status::pending_review;
  add_tool({.tool_id = "flight_search"}, {reporting({found, question()})});
  begin();
  use("flight_search");
  auto turn = say("Yes, the morning flight please");
  auto over = goal_of(flight);
  BOOST_TEST(over.progress == 1);
  BOOST_TEST(to_string(over.status) == "completed");
  BOOST_REQUIRE(turn.goals.size() == 1u);
  BOOST_TEST(to_string(turn.goals.front().status) == "completed");
  BOOST_TEST(turn.pending_actions.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
