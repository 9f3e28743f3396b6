#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/tests/support/durable_team.hpp"

/// Agents that were at rest: nobody can tell it from their answers.

namespace scratchpage::test {

namespace {

/// Two teams that do the same. One of them rests after each step.
struct two_teams {
  durable_team awake;
  durable_team resting;

  /// Begins both. `prepare` is called with each before.
  template <class F>
  void begin(F prepare) {
    for (auto* x : {&awake, &resting}) {
      prepare(*x);
      x->begin();
    }
  }

  void begin() {
    begin([](durable_team&) {});
  }

  /// Does a step with both teams, and compares the texts that it returns. Some time passes, since
  /// the System Analyzer looks at measurements for a second.
  template <class F>
  void same(F step) {
    auto expected = step(awake);
    auto found = step(resting);
    BOOST_TEST(found == expected);
    for (auto* x : {&awake, &resting})
      x->advance(std::chrono::seconds{2});
    resting.rest();
  }
};

std::string goals_of(durable_team& x) {
  std::string result;
  for (const auto& one : x.goals()) {
    result += one.goal_id + " " + std::string{name_of(one.status)};
    for (const auto& action : one.pending_actions)
      result += " " + std::string{name_of(action.status)};
    result += "\n";
  }
  return result;
}

std::string facts_of(durable_team& x) {
  std::string result;
  for (const auto& one : x.facts())
    result += one.fact_id + " " + one.statement + " " + std::to_string(one.support) + "\n";
  return result;
}

/// Makes a goal of that type, with an id that is chosen or, for "", given. Tells its id, or the
/// error.
std::string make_goal(durable_team& x, std::string type, std::string id = {}) {
  goal draft;
  draft.goal_id = std::move(id);
  draft.goal_type = std::move(type);
  draft.title = "Go there";
  auto made = x.ask(x.host->cortex(), create_goal{as_user("ann"), std::move(draft)});
  return made ? made->goal_id : describe(made.error());
}

void complete(durable_team& x, std::string goal_id) {
  update_goal change;
  change.by = as_user("ann");
  change.goal_id = std::move(goal_id);
  change.status = goal_status::completed;
  x.value(x.ask(x.host->cortex(), std::move(change)));
}

std::string add_fact_to(durable_team& x, std::string statement) {
  add_fact request;
  request.by = as_user("ann");
  request.statement = std::move(statement);
  return x.value(x.ask(x.host->facts(), std::move(request))).fact_id;
}

void forget_fact(durable_team& x, std::string fact_id) {
  forget request;
  request.by = as_user("ann");
  request.fact_id = std::move(fact_id);
  BOOST_REQUIRE(x.ask(x.host->facts(), std::move(request)));
}

void start_again(durable_team& x) {
  x.end();
  x.begin();
}

/// Adds a tool that answers each call alike, with an observation if `content` is not "".
void add_tool(durable_team& x, std::string tool_id, std::string content = {}) {
  recorded_response response;
  if (!content.empty())
    response.observations.push_back(json::object{{"type", "contextual_insight"},
      {"content", content}, {"confidence", 0.95}, {"tags", {"wine"}}});
  tool_manifest manifest{.tool_id = std::move(tool_id)};
  manifest.observation_types = {"contextual_insight"};
  x.add_tool(std::move(manifest), {std::move(response)}).after_last = after_last::repeat;
}

std::string text_of(const caf::expected<turn_result>& x) {
  return x ? to_text(to_json(*x)) : describe(x.error());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(rest, two_teams)

// -- turns --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_next_turn_has_the_next_number) {
  begin();
  for (int i = 0; i < 3; ++i)
    same([](durable_team& x) { return x.say("Hello").turn_id; });
  BOOST_TEST(number_of(awake.say("Hello").turn_id).value_or(0) == 4u);
}

BOOST_AUTO_TEST_CASE(results_of_turns_are_kept) {
  begin();
  std::string first, last;
  for (auto* x : {&awake, &resting}) {
    first = x->say("I want to fly to Paris next week.").turn_id;
    last = x->say("What is the time?").turn_id;
    x->advance(std::chrono::seconds{2});
  }
  for (const auto& id : {first, last}) {
    auto before = text_of(resting.ask(resting.host->turns(), await_turn{id, {}}));
    resting.rest();
    BOOST_TEST(text_of(resting.ask(resting.host->turns(), await_turn{id, {}})) == before);
    same([&](durable_team& x) {
      auto found = x.ask(x.host->turns(), await_turn{id, {}});
      return found ? found->response + found->turn_id : describe(found.error());
    });
  }
}

BOOST_AUTO_TEST_CASE(no_more_results_of_turns_are_kept_than_without_a_rest) {
  begin([](durable_team& x) { x.setup.config.turns.kept_results = 2; });
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i)
    same([&](durable_team& x) { return ids.emplace_back(x.say("Hello").turn_id); });
  for (const auto& id : ids)
    same([&](durable_team& x) {
      auto found = x.ask(x.host->turns(), await_turn{id, {}});
      return found ? found->turn_id : describe(found.error());
    });
}

BOOST_AUTO_TEST_CASE(a_team_works_while_a_turn_is_open) {
  begin();
  begin_turn request;
  request.input = "Hello";
  request.thread_id = "main";
  request.user_id = "ann";
  request.hold = true;
  BOOST_TEST(!resting.kept->is_working());
  auto held = resting.run(request);
  BOOST_TEST(resting.kept->is_working());
  resting.value(resting.ask(resting.host->turns(), end_turn{held.turn_id, {}}));
  resting.advance(std::chrono::seconds{2});
  BOOST_TEST(!resting.kept->is_working());
}

// -- goals --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(goals_keep_their_order) {
  begin();
  for (auto id : {"zoo", "goal_10", "goal_9", "art"})
    same([&](durable_team& x) { return make_goal(x, "trip", id) + "\n" + goals_of(x); });
  same([](durable_team& x) {
    complete(x, "goal_9"); // an ended goal stays where it is
    return goals_of(x);
  });
  same([](durable_team& x) { return make_goal(x, "trip") + "\n" + goals_of(x); });
}

BOOST_AUTO_TEST_CASE(goals_keep_their_order_after_a_restart) {
  begin();
  for (auto id : {"zoo", "goal_10", "goal_9", "art"})
    make_goal(awake, "trip", id);
  complete(awake, "goal_9");
  auto before = goals_of(awake);
  BOOST_TEST(before.starts_with("zoo "));
  start_again(awake);
  BOOST_TEST(goals_of(awake) == before);
}

BOOST_AUTO_TEST_CASE(dropped_goals_do_not_come_back) {
  begin([](durable_team& x) { x.setup.config.frontal_cortex.max_goals = 2; });
  auto fill = [](durable_team& x) {
    for (auto id : {"first", "second"})
      make_goal(x, "trip", id);
    complete(x, "first");
    make_goal(x, "trip", "third"); // in place of the first
    return goals_of(x);
  };
  same(fill);
  auto before = goals_of(awake);
  BOOST_TEST(before.find("first") == std::string::npos);
  same([](durable_team& x) { return goals_of(x); });
  start_again(awake);
  BOOST_TEST(goals_of(awake) == before);
  awake.setup.config.frontal_cortex.max_goals = 10; // there is room for it again
  start_again(awake);
  BOOST_TEST(goals_of(awake) == before);
}

BOOST_AUTO_TEST_CASE(the_id_of_a_dropped_goal_is_not_given_again) {
  begin([](durable_team& x) { x.setup.config.frontal_cortex.max_goals = 1; });
  auto first = make_goal(awake, "trip");
  complete(awake, first);
  make_goal(awake, "trip", "chosen"); // in place of the first
  start_again(awake);
  complete(awake, "chosen");
  BOOST_TEST(make_goal(awake, "trip") != first);
}

BOOST_AUTO_TEST_CASE(the_id_of_a_goal_that_was_refused_is_not_given_again) {
  begin([](durable_team& x) {
    mandate no_war;
    no_war.id = "no_war";
    no_war.match.actions = {"goal"};
    no_war.match.subjects = {"war"};
    no_war.verdict = verdict_kind::deny;
    no_war.reason = "peace";
    auto& rules = x.setup.config.mandates.rules;
    rules.insert(rules.begin(), std::move(no_war));
  });
  same([](durable_team& x) { return make_goal(x, "war"); });
  same([](durable_team& x) { return make_goal(x, "trip"); });
  BOOST_TEST(goals_of(awake).starts_with("goal_2 "));
}

BOOST_AUTO_TEST_CASE(actions_that_were_resolved_between_turns_are_settled) {
  begin();
  same([](durable_team& x) {
    goal draft;
    draft.goal_id = draft.goal_type = "trip";
    pending_action ask;
    ask.action_id = "ask_hotel";
    ask.action_type = "ask";
    draft.pending_actions = {ask};
    x.value(x.ask(x.host->cortex(), create_goal{as_daemon("planner"), std::move(draft)}));
    return goals_of(x);
  });
  same([](durable_team& x) {
    auto asked = draft("observation", "Which hotel?");
    asked.context["pending_action_id"] = "ask_hotel";
    auto stored = x.add(as_daemon("planner"), std::move(asked)).observation;
    update_observation change{as_daemon("planner"), stored->observation_id, {}, {}};
    change.changes.status = status::resolved;
    x.value(x.ask(x.host->page(), std::move(change)));
    x.settle();
    return goals_of(x);
  });
  same([](durable_team& x) {
    x.say("Hello");
    return goals_of(x);
  });
  BOOST_TEST(goals_of(awake).find(" done") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(candidates_that_wait_for_others_make_a_goal_with_them) {
  begin([](durable_team& x) {
    promotion_rule pair;
    pair.id = "pair";
    pair.types = {"dependency"};
    pair.title = "{content}";
    pair.min_observations = 2;
    x.setup.config.promotion.rules.push_back(std::move(pair));
  });
  for (auto content : {"Needs wine", "Needs a red one"})
    same([&](durable_team& x) {
      x.add(as_user("ann"), draft("dependency", content, 0.95, {"wine", "dinner"}));
      x.settle();
      return goals_of(x);
    });
  BOOST_TEST(goals_of(awake) != "");
}

BOOST_AUTO_TEST_CASE(what_the_agent_has_asked_is_remembered_for_wishes) {
  begin([](durable_team& x) { add_tool(x, "flight_service"); });
  same([](durable_team& x) {
    begin_turn request;
    request.input = "I want to book a flight to Paris.";
    request.thread_id = "main";
    request.user_id = "ann";
    request.hold = true;
    auto held = x.run(std::move(request));
    end_turn end{held.turn_id, {}, "Shall I book the flight to Paris on Monday?"};
    x.value(x.ask(x.host->turns(), std::move(end)));
    return goals_of(x);
  });
  same([](durable_team& x) {
    x.say("Yes, please.", {call("flight_service")});
    return goals_of(x);
  });
}

// -- the Reflector ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_recurs_is_learnt) {
  begin([](durable_team& x) { add_tool(x, "wine_search", "User prefers Burgundy wines"); });
  for (int i = 0; i < 3; ++i)
    same([](durable_team& x) {
      x.say("Which wine?", {call("wine_search")});
      return facts_of(x);
    });
  BOOST_TEST(facts_of(awake) != "");
}

BOOST_AUTO_TEST_CASE(a_report_from_outside_is_heard_once) {
  begin();
  same([](durable_team& x) {
    x.add(as_tool("gauge"), draft("observation", "Users prefer Burgundy wines", 0.95, {"wine"}));
    return facts_of(x);
  });
  for (int i = 0; i < 4; ++i)
    same([](durable_team& x) {
      x.say("Hello");
      return facts_of(x) + std::to_string(x.of_type("learning").size());
    });
}

BOOST_AUTO_TEST_CASE(told_facts_are_corrected) {
  begin();
  for (auto words : {"I live in Paris.", "I have moved, I live in Rome now."})
    same([&](durable_team& x) {
      x.say(words);
      return facts_of(x);
    });
}

// -- the semantic memory ------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(ids_of_facts_are_not_given_again) {
  begin();
  same([](durable_team& x) { return add_fact_to(x, "The train leaves at eight"); });
  same([](durable_team& x) {
    auto id = add_fact_to(x, "The bus is late");
    forget_fact(x, id);
    return id;
  });
  same([](durable_team& x) { return add_fact_to(x, "The harbour is closed"); });
  auto last = add_fact_to(awake, "The shop is open");
  forget_fact(awake, last);
  start_again(awake);
  BOOST_TEST(add_fact_to(awake, "The tower is high") != last);
}

BOOST_AUTO_TEST_CASE(no_lesson_is_missed_or_learnt_again) {
  begin([](durable_team& x) { add_tool(x, "wine_search", "User prefers Burgundy wines"); });
  for (int i = 0; i < 4; ++i)
    same([](durable_team& x) {
      x.say("Which wine?", {call("wine_search")});
      return std::to_string(x.traced("learn", "success")) + " "
             + std::to_string(x.traced("learn", "warning"));
    });
  BOOST_TEST(resting.traced("learn", "warning") == 0u);
}

// -- the housekeeping ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_agent_is_woken_for_the_housekeeping_once_a_day) {
  begin();
  auto due = resting.kept->next_deadline();
  BOOST_REQUIRE(due);
  BOOST_TEST((*due > resting.now() + std::chrono::hours{23}));
  resting.advance(std::chrono::minutes{20});
  resting.rest(std::chrono::hours{5});
  BOOST_TEST((resting.kept->next_deadline() == due)); // waking begins no round
  resting.rest(std::chrono::hours{20});
  BOOST_TEST((*resting.kept->next_deadline() > *due));
}

BOOST_AUTO_TEST_CASE(a_round_that_was_due_during_the_rest_begins_at_the_waking) {
  begin();
  resting.fall_asleep();
  resting.advance(std::chrono::hours{30});
  resting.wake_up();
  resting.advance(std::chrono::seconds{1});
  BOOST_TEST((*resting.kept->next_deadline() > resting.now()));
}

BOOST_AUTO_TEST_CASE(personal_data_is_purged_in_time_during_a_rest) {
  begin([](durable_team& x) { x.setup.config.privacy.archive_retention_days = 0.25; });
  same([](durable_team& x) {
    auto added = x.add(as_daemon("planner"), draft("observation", "Write to ann@example.com"));
    archive_observation order{as_daemon("planner"), added.observation->observation_id};
    BOOST_REQUIRE(x.ask(x.host->page(), std::move(order)));
    x.settle();
    x.advance(std::chrono::hours{2}); // a round finds it
    return std::string{};
  });
  BOOST_TEST(resting.stored_bytes().find("ann@example.com") != std::string::npos);
  auto due = *resting.kept->next_deadline();
  BOOST_TEST((due > resting.now() + std::chrono::hours{3}));
  BOOST_TEST((due < resting.now() + std::chrono::hours{5}));
  resting.fall_asleep();
  resting.advance(due - resting.now());
  resting.wake_up();
  resting.advance(std::chrono::seconds{1});
  BOOST_TEST(resting.stored_bytes().find("ann@example.com") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
