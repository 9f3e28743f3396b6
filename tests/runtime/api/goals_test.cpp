#include <algorithm>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/limits.hpp"
#include "scratchpage/tests/runtime/api/asked_team.hpp"
#include "scratchpage/tests/runtime/api/callers.hpp"

/// Goals, used through operations: who can let a goal go on that waits for a person, and limits of
/// its texts.

namespace scratchpage::test {

namespace {

std::string text(size_t bytes) {
  return '"' + std::string(bytes, 'x') + '"';
}

std::string about(const std::string& members) {
  return R"({"goal_id": "rent")" + members + "}";
}

/// A tool in a turn of the ensemble, so it is not from outside.
const caller cashier = as_tool("cashier", "turn_0");

/// A team with the goal `rent`, which a person has to confirm, or whose action `pay` a person does.
struct team_with_goals : asked_team {
  void begin_waiting() {
    setup.config.mandates.rules.insert(setup.config.mandates.rules.begin(),
      {"ask_before_transfers", {{"goal"}, {}, {"money"}, {}}, verdict_kind::ask_user, "Pay?"});
    begin();
    add(R"({"type": "contextual_insight", "content": "The rent is due", "confidence": 0.95,
            "tags": ["money"], "context": {"goal_id": "rent"}})");
    BOOST_REQUIRE(status() == "blocked");
    action = std::string{rent().at("pending_actions").at(0).at("action_id").as_string()};
  }

  void begin_paying() {
    begin();
    create_goal request{as_daemon("planner"), {}};
    request.draft.goal_id = request.draft.goal_type = "rent";
    request.draft.pending_actions = {
      {.action_id = "pay", .action_type = "pay_rent", .assigned_to = assignee::user},
      {.action_id = "file", .action_type = "file_receipt"}};
    value(ask(host->cortex(), std::move(request)));
    action = "pay";
  }

  json::value rent() { return as(agent, "goal_get", about("")); }

  std::string status() { return std::string{rent().at("status").as_string()}; }

  std::string status_of(const std::string& id) {
    auto goal = rent();
    for (const auto& one : goal.at("pending_actions").as_array())
      if (one.at("action_id").as_string() == id)
        return std::string{one.at("status").as_string()};
    return "none";
  }

  std::string put(const caller& who, const std::string& type, const std::string& id,
    const std::string& more = {}) {
    by = who;
    return add(R"({"type": ")" + type + R"(", "content": "Shall I drop the rent?", "context": )"
               + R"({"thread_id": "t", "pending_action_id": ")" + id + "\"}" + more + "}");
  }

  /// A question about an action, asked by a tool that the ensemble runs.
  std::string ask_about(const std::string& id) {
    auto x = draft("pending_confirmation", "Is the rent paid?");
    x.context = {{"thread_id", "t"}, {"pending_action_id", id}};
    return team::add(cashier, std::move(x)).observation->observation_id;
  }

  void resolve(const caller& who, const std::string& id) {
    as(who, "update_observation",
      R"({"observation_id": ")" + id + R"(", "changes": {"status": "resolved"}})");
  }

  void hear(const caller& who, const std::string& words) {
    as(who, "begin_turn", R"({"input": ")" + words + R"(", "thread_id": "t"})");
  }

  /// Answers "Yes" to the question with that id.
  void answer(const caller& who, const std::string& id) {
    as(who, "begin_turn",
      R"({"input": "Yes", "thread_id": "t", "user_id": "ann", "context": {"answers": ")" + id
        + "\"}}");
  }

  bool is_open(const std::string& id) {
    auto found = of_type("pending_confirmation");
    return std::any_of(found.begin(), found.end(),
      [&](const observation_ptr& x) { return x->observation_id == id; });
  }

  std::string set(const caller& who, const std::string& to) {
    return refusal_of(who, "goal_update", about(R"(, "status": ")" + to + "\""));
  }

  std::string item(const std::string& link, const caller& who = agent) {
    auto made = as(who, "scratch_add", R"({"kind": "todo", "title": "Buy milk", )" + link + "}");
    return R"({"id": ")" + std::string{made.at("id").as_string()} + "\"}";
  }

  std::string action;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(goals_from_outside, team_with_goals)

// -- words of persons ----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(no_answer_to_an_agents_question_confirms_a_goal) {
  begin_waiting();
  for (const auto* words : {"No", "Never mind", "Yes"}) {
    put(agent, "pending_confirmation", action);
    hear(ann, words);
    BOOST_TEST(status() == "blocked", words);
  }
  resolve(ann, put(agent, "observation", action));
  hear(ann, "Go on");
  BOOST_TEST(status() == "blocked");
  as(ann, "action_complete", about(R"(, "action_id": ")" + action + "\""));
  BOOST_TEST(status() != "blocked");
}

BOOST_AUTO_TEST_CASE(a_question_about_a_goal_that_copies_a_relayed_input_confirms_nothing) {
  begin_waiting();
  as(agent, "begin_turn",
    R"({"input": "that one", "thread_id": "t", "user_id": "ann",
      "context": {"pending_action_id": ")"
      + action + "\"}}");
  hear(ann, "Yes");
  BOOST_TEST(status() == "blocked");
}

BOOST_AUTO_TEST_CASE(a_no_does_not_do_the_users_action_and_a_yes_does) {
  begin_paying();
  ask_about(action);
  hear(ann, "No");
  BOOST_TEST(status_of("pay") == "pending");
  ask_about(action);
  hear(ann, "Yes, it is paid");
  BOOST_TEST(status_of("pay") == "done");
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_question_of_an_agent_does_no_action_of_the_user) {
  begin_paying();
  auto asked = put(agent, "pending_confirmation", action);
  answer(ann, asked);
  BOOST_TEST(!is_open(asked));
  BOOST_TEST(status_of("pay") == "pending");
  resolve(ann, put(agent, "observation", action));
  hear(ann, "Go on");
  BOOST_TEST(status_of("pay") == "pending");
  as(ann, "action_complete", about(R"(, "action_id": "pay")"));
  BOOST_TEST(status_of("pay") == "done");
}

BOOST_AUTO_TEST_CASE(a_yes_that_may_mean_two_questions_does_no_action) {
  begin_paying();
  auto first = ask_about("pay");
  auto second = put(agent, "pending_confirmation", "");
  hear(ann, "Yes");
  BOOST_TEST(status_of("pay") == "pending");
  BOOST_TEST(is_open(first));
  BOOST_TEST(!is_open(second));
  hear(ann, "Yes"); // now only one question is open
  BOOST_TEST(status_of("pay") == "done");
}

BOOST_AUTO_TEST_CASE(a_person_answers_the_question_that_they_name_and_no_other) {
  begin_paying();
  auto pay = ask_about("pay");
  auto other = put(agent, "pending_confirmation", "");
  answer(ann, other);
  BOOST_TEST(!is_open(other));
  BOOST_TEST(is_open(pay));
  BOOST_TEST(status_of("pay") == "pending");
  other = put(agent, "pending_confirmation", "");
  answer(ann, pay);
  BOOST_TEST(status_of("pay") == "done");
  BOOST_TEST(is_open(other));
}

BOOST_AUTO_TEST_CASE(an_agent_names_no_question_for_a_person) {
  begin_paying();
  auto pay = ask_about("pay");
  auto other = put(agent, "pending_confirmation", "");
  answer(agent, pay);
  BOOST_TEST(is_open(pay));
  BOOST_TEST(!is_open(other)); // an agent's `answers` is ignored
  BOOST_TEST(status_of("pay") == "pending");
}

BOOST_AUTO_TEST_CASE(who_confirms_a_call_answers_no_other_question) {
  add_tool({.tool_id = "wire", .permissions = {"payments"}}).after_last = after_last::repeat;
  begin_paying();
  as(ann, "begin_turn",
    R"({"input": "Send it", "thread_id": "t", "plan": [{"tool_id": "wire", "inputs": {}}]})");
  auto asked = of_type("pending_confirmation");
  BOOST_REQUIRE(asked.size() == 1u);
  auto pay = ask_about("pay");
  as(ann, "begin_turn",
    R"({"input": "Yes", "thread_id": "t", "context": {"confirms": ")" + asked[0]->observation_id
      + "\"}}");
  BOOST_TEST(!is_open(asked[0]->observation_id));
  BOOST_TEST(is_open(pay));
  BOOST_TEST(status_of("pay") == "pending");
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_tool_from_outside_does_no_action) {
  begin_paying();
  for (const auto* id : {"pay", "file"}) {
    put(scanner, "pending_confirmation", id);
    hear(ann, "Yes, it is paid");
    BOOST_TEST(status_of(id) == "pending");
  }
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_changed_afterwards_is_the_one_that_was_given) {
  begin_paying();
  auto id = ask_about(action);
  auto held =
    as(ann, "begin_turn", R"({"input": "No", "thread_id": "t", "hold": true, "mode": "parallel"})");
  advance(std::chrono::seconds{1});
  BOOST_TEST(refusal_of(agent, "update_observation",
               R"({"observation_id": ")" + id
                 + R"(", "changes": {"metadata": {"answer": "Yes", "answer_id": "obs_1"}}})")
             == "forbidden metadata");
  as(ann, "end_turn", R"({"turn_id": ")" + std::string{held.at("turn_id").as_string()} + "\"}");
  BOOST_TEST(status_of("pay") == "pending");
}

BOOST_AUTO_TEST_CASE(a_tool_from_outside_does_no_action_of_the_agents) {
  begin_paying();
  resolve(scanner, put(scanner, "observation", "file"));
  hear(ann, "Go on");
  put(scanner, "observation", "file", R"(, "status": "pending_review", "confidence": 0.99)");
  hear(ann, "Go on");
  BOOST_TEST(status_of("file") == "pending");
  resolve(agent, put(agent, "observation", "file"));
  hear(ann, "Go on");
  BOOST_TEST(status_of("file") == "done");
}

// -- changes by agents ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(an_agent_moves_a_goal_that_waits_for_a_person_nowhere_but_away) {
  begin_waiting();
  for (const auto* to : {"pending", "in_progress", "completed"})
    BOOST_TEST(set(agent, to) == "forbidden status");
  BOOST_TEST(set(agent, "abandoned") == "none");
  for (const auto* to : {"pending", "in_progress", "completed"})
    BOOST_TEST(set(agent, to) == "forbidden status");
  BOOST_TEST(set(agent, "blocked") == "none");
  BOOST_TEST(status() == "blocked");
}

BOOST_AUTO_TEST_CASE(an_agent_does_not_change_what_a_person_is_asked_about_a_goal) {
  begin_waiting();
  auto before = rent();
  auto change = [&](const std::string& member) {
    return refusal_of(agent, "goal_update", about(", " + member));
  };
  BOOST_TEST(change(R"("title": "Buy milk")") == "forbidden title");
  BOOST_TEST(change(R"("description": "Buy milk?")") == "forbidden description");
  BOOST_TEST(change(R"("priority": "low")") == "forbidden priority");
  BOOST_TEST(change(R"("progress": 0.9)") == "forbidden progress");
  BOOST_TEST(set(agent, "abandoned") == "none");
  BOOST_TEST(change(R"("title": "Buy milk")") == "forbidden title");
  BOOST_TEST(set(agent, "blocked") == "none");
  BOOST_TEST(rent().at("title") == before.at("title"));
  as(ann, "action_complete", about(R"(, "action_id": ")" + action + "\""));
  BOOST_TEST(change(R"("title": "Pay the rent", "priority": "low")") == "none");
}

BOOST_AUTO_TEST_CASE(an_agent_moves_a_goal_and_leaves_the_words_that_a_person_sees_with_an_action) {
  begin_paying();
  auto change = [&](const caller& who, const std::string& member) {
    return refusal_of(who, "goal_update", about(", " + member));
  };
  BOOST_TEST(change(agent, R"("title": "Buy milk")") == "forbidden title");
  BOOST_TEST(change(agent, R"("priority": "high", "progress": 0.5)") == "none");
  BOOST_TEST(change(ann, R"("title": "Pay the rent")") == "none");
}

BOOST_AUTO_TEST_CASE(an_agent_does_not_decide_on_an_action_that_needs_confirmation) {
  begin();
  create_goal request{as_daemon("planner"), {}};
  request.draft.goal_id = request.draft.goal_type = "rent";
  request.draft.pending_actions = {
    {.action_id = "send", .action_type = "send_rent", .requires_confirmation = true}};
  value(ask(host->cortex(), std::move(request)));
  auto which = about(R"(, "action_id": "send")");
  for (const auto* name : {"action_complete", "action_refuse"})
    BOOST_TEST(refusal_of(agent, name, which) == "forbidden action_id");
  resolve(agent, put(agent, "observation", "send"));
  hear(ann, "Go on");
  BOOST_TEST(status_of("send") == "pending");
  as(ann, "action_complete", which);
  BOOST_TEST(status_of("send") == "done");
}

BOOST_AUTO_TEST_CASE(what_a_tool_from_outside_says_of_a_goal_does_not_move_it) {
  begin_paying();
  auto say = [&](const caller& who, const std::string& what) {
    by = who;
    add(R"({"type": "observation", "content": ")" + what + R"(", "context": {"goal_id": "rent"}})");
    hear(ann, "Go on");
  };
  say(scanner, "It is the 1st");
  auto now = rent();
  BOOST_TEST(now.at("evidence").as_array().size() == 1u);
  BOOST_TEST(now.at("progress").to_number<double>() == 0.0);
  BOOST_TEST(status() == "pending");
  say(agent, "The bank has taken the order");
  BOOST_TEST(rent().at("progress").to_number<double>() > 0.0);
  BOOST_TEST(status() == "in_progress");
}

BOOST_AUTO_TEST_CASE(a_goal_made_on_request_waits_for_a_person_where_a_mandate_says_so) {
  setup.config.mandates.rules.insert(setup.config.mandates.rules.begin(),
    {"ask_before_rent", {{"goal"}, {"rent"}, {}, {}}, verdict_kind::ask_user, "Pay?"});
  begin_paying();
  BOOST_TEST(status() == "blocked");
  auto first = rent().at("pending_actions").at(0);
  BOOST_TEST(first.at("action_type").as_string() == "confirm_goal");
  BOOST_TEST(first.at("assigned_to").as_string() == "user");
  BOOST_TEST(first.at("description").as_string() == "Pay?");
  std::string id{first.at("action_id").as_string()};
  BOOST_TEST(!id.empty());
  BOOST_TEST(set(agent, "in_progress") == "forbidden status");
  auto decision = about(R"(, "action_id": ")" + id + "\"");
  BOOST_TEST(refusal_of(agent, "action_complete", decision) == "forbidden action_id");
  as(ann, "action_complete", decision);
  BOOST_TEST(status() == "in_progress");
  BOOST_TEST(status_of("pay") == "pending");
}

BOOST_AUTO_TEST_CASE(what_is_linked_to_a_goal_that_a_person_set_back_does_not_start_it) {
  begin_waiting();
  BOOST_TEST(set(ann, "pending") == "none");
  by = agent;
  add(R"({"type": "observation", "content": "It is the 1st", "context": {"goal_id": "rent"}})");
  hear(ann, "Go on");
  BOOST_TEST(status() == "pending");
  BOOST_TEST(set(agent, "in_progress") == "forbidden status");
}

// -- items of a scratchbook ----------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_person_who_ticks_off_an_agents_item_confirms_no_goal) {
  begin_waiting();
  for (const auto& link :
    {R"("goal_id": "rent", "action_id": ")" + action + "\"", std::string{R"("goal_id": "rent")"}}) {
    auto todo = item(link);
    BOOST_TEST(refusal_of(agent, "scratch_complete", todo).starts_with("forbidden"));
    BOOST_TEST(as(ann, "scratch_complete", todo).at("status").as_string() == "done");
    BOOST_TEST(status() == "blocked");
    BOOST_TEST(status_of(action) == "pending");
  }
}

BOOST_AUTO_TEST_CASE(a_person_who_ticks_off_an_item_of_theirs_does_another_action_with_it) {
  begin_paying();
  const std::string link = R"("goal_id": "rent", "action_id": "pay")";
  as(ann, "scratch_complete", item(link));
  BOOST_TEST(status_of("pay") == "pending"); // an agent wrote the item
  as(ann, "scratch_complete", item(link, ann));
  BOOST_TEST(status_of("pay") == "done");
}

// -- limits --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_text_of_a_goal_that_is_too_long_is_refused_by_its_name) {
  begin_paying();
  auto change = [&](const std::string& name, size_t bytes) {
    return refusal_of(ann, "goal_update", about(", \"" + name + "\": " + text(bytes)));
  };
  BOOST_TEST(change("title", goal_limits::title_bytes) == "none");
  BOOST_TEST(change("title", goal_limits::title_bytes + 1) == "invalid_request title");
  BOOST_TEST(change("description", goal_limits::description_bytes) == "none");
  BOOST_TEST(
    change("description", goal_limits::description_bytes + 1) == "invalid_request description");
  auto long_id = R"({"goal_id": )" + text(goal_limits::id_bytes + 1) + R"(, "action_id": "a"})";
  for (const auto* name : {"action_complete", "action_refuse"})
    BOOST_TEST(refusal_of(agent, name, long_id) == "invalid_request goal_id");
  BOOST_TEST(refusal_of(agent, "action_complete",
               about(R"(, "action_id": )" + text(goal_limits::id_bytes + 1)))
             == "invalid_request action_id");
  BOOST_TEST(
    refusal_of(agent, "goal_get", R"({"goal_id": )" + text(goal_limits::id_bytes + 1) + "}")
    == "invalid_request goal_id");
  BOOST_TEST(rent().at("title").as_string().size() == goal_limits::title_bytes);
}

BOOST_AUTO_TEST_CASE(a_new_goal_that_says_too_much_is_refused_by_what_is_too_long) {
  begin();
  auto refused = [&](auto change) {
    create_goal request{as_daemon("planner"), {}};
    request.draft.goal_type = "trip";
    change(request.draft);
    auto made = ask(host->cortex(), std::move(request));
    return made ? "none" : to_string(code_of(made.error())) + " " + field_of(made.error());
  };
  std::string too_long(goal_limits::description_bytes + 1, 'x');
  BOOST_TEST(refused([](goal&) {}) == "none");
  BOOST_TEST(refused([&](goal& x) { x.title = too_long; }) == "invalid_request draft.title");
  BOOST_TEST(
    refused([&](goal& x) { x.goal_type = too_long; }) == "invalid_request draft.goal_type");
  BOOST_TEST(
    refused([&](goal& x) { x.description = too_long; }) == "invalid_request draft.description");
  BOOST_TEST(refused([](goal& x) { x.pending_actions.resize(goal_limits::actions + 1); })
             == "invalid_request draft.pending_actions");
  BOOST_TEST(refused([&](goal& x) {
    x.pending_actions = {{.action_id = "a", .action_type = "b", .description = too_long}};
  }) == "invalid_request draft.pending_actions[0].description");
  BOOST_TEST(refused([](goal& x) {
    x.context["notes"] = std::string(goal_limits::context_bytes, 'x');
  }) == "invalid_request draft.context");
}

BOOST_AUTO_TEST_CASE(goals_have_a_limit_and_a_cursor) {
  begin();
  for (const auto* id : {"a", "b", "c"}) {
    create_goal request{as_daemon("planner"), {}};
    request.draft.goal_id = request.draft.goal_type = id;
    value(ask(host->cortex(), std::move(request)));
  }
  auto first = call("goals_list", R"({"limit": 2})");
  BOOST_TEST(first.at("goals").as_array().size() == 2u);
  BOOST_TEST(total(first) == 3u);
  std::string cursor{first.at("next_cursor").as_string()};
  auto rest = call("goals_list", R"({"limit": 2, "cursor": ")" + cursor + "\"}");
  BOOST_REQUIRE(rest.at("goals").as_array().size() == 1u);
  BOOST_TEST(rest.at("goals").at(0).at("goal_id").as_string() == "c");
  BOOST_TEST(rest.as_object().if_contains("next_cursor") == nullptr);
  BOOST_TEST(call("goals_list").at("goals").as_array().size() == 3u);
  for (const auto* limit : {"0", "1001", "4294967295"})
    BOOST_TEST(
      refusal("goals_list", std::string{R"({"limit": )"} + limit + "}") == "invalid_request limit");
  BOOST_TEST(refusal("goals_list", R"({"cursor": "nowhere"})") == "invalid_request cursor");
  BOOST_TEST(refusal("goals_list", R"({"cursor": )" + text(goal_limits::id_bytes + 1) + "}")
             == "invalid_request cursor");
}

BOOST_AUTO_TEST_CASE(an_answer_with_goals_ends_where_it_is_too_long_and_goes_on_at_its_cursor) {
  begin();
  for (int i = 0; i < 300; ++i) { // together 18 MB of contexts
    create_goal request{as_daemon("planner"), {}};
    request.draft.goal_type = "trip";
    request.draft.context["notes"] = std::string(60'000, 'x');
    value(ask(host->cortex(), std::move(request)));
  }
  auto list = [&](const std::string& cursor) {
    list_goals request{agent, {}, list_goals::most, cursor};
    return value(ask(host->cortex(), std::move(request)));
  };
  auto first = list("");
  BOOST_TEST(first.goals.size() < 300u);
  BOOST_TEST(first.total_count.value_or(0) == 300u);
  BOOST_REQUIRE(!first.next_cursor.empty());
  BOOST_TEST(first.goals.size() + list(first.next_cursor).goals.size() == 300u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
