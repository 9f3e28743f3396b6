#include <algorithm>
#include <chrono>

#include "scratchpage/tests/runtime/api/asked_team.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// Turns that stay open until the agent outside that has begun them ends them.

namespace scratchpage::test {

namespace {

struct held_turns : asked_team {
  held_turns() { begin(); }

  static std::string id_of(const json::value& turn) {
    return std::string{turn.at("turn_id").as_string()};
  }

  static std::string status_of(const json::value& turn) {
    return std::string{turn.at("status").as_string()};
  }

  json::value begin_held(const std::string& more = {}) {
    return call("begin_turn", R"({"input": "Find a flight to Paris", "hold": true)" + more + "}");
  }

  json::value end(const std::string& turn_id) {
    return call(
      "end_turn", R"({"turn_id": ")" + turn_id
                    + R"(", "response": "A flight to Paris leaves at nine for 80 dollars."})");
  }

  /// Adds an observation of the agent outside to its turn.
  json::value notice(const std::string& turn_id, const std::string& content) {
    return call("add_observation",
      R"({"type": "observation", "content": ")" + content + R"(", "turn_id": ")" + turn_id + "\"}");
  }

  /// The contents of a turn's observations of that type.
  static std::string contents(const json::value& turn, std::string_view type) {
    std::string result;
    const auto* all = turn.as_object().if_contains("observations");
    if (all == nullptr)
      return result;
    for (const auto& x : all->as_array())
      if (x.at("type").as_string() == type)
        result.append(result.empty() ? "" : ", ").append(x.at("content").as_string());
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(held_turn, held_turns)

BOOST_AUTO_TEST_CASE(it_answers_with_what_the_team_made_of_the_input_and_stays_open) {
  auto turn =
    call("begin_turn", R"({"input": "Urgent: the server room is on fire", "hold": true})");
  BOOST_TEST(status_of(turn) == "held");
  BOOST_TEST(turn.at("urgency").as_string() == "high");
  BOOST_TEST(contents(turn, "user_input") == "Urgent: the server room is on fire");
  BOOST_TEST(contents(turn, "routing_decision") != "");
  BOOST_TEST(contents(turn, "evaluation_result") == "");
  advance(std::chrono::seconds{60});
  BOOST_TEST(of_type("evaluation_result").empty());
  BOOST_TEST(traced("close_turn") == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_noticed_in_it_belongs_to_it_and_is_evaluated_at_its_end) {
  auto id = id_of(begin_held());
  auto noticed = notice(id, "The last flight is full");
  BOOST_TEST(noticed.at("source").at("turn_id").as_string() == id);
  BOOST_TEST(noticed.at("source").at("user").as_string() == "ann");
  BOOST_TEST(!noticed.as_object().contains("warnings"));
  call("add_observations", R"({"drafts": [{"type": "observation", "content": "A train is left"}],
    "turn_id": ")" + id + "\"}");
  call("add_observation", R"({"type": "observation", "content": "It rains"})");
  auto ended = end(id);
  BOOST_TEST(status_of(ended) == "complete");
  BOOST_TEST(contents(ended, "observation") == "The last flight is full, A train is left");
  BOOST_TEST(contents(ended, "evaluation_result") != "");
  query_episodes story;
  story.by = as_daemon("probe");
  story.turn_id = id;
  auto told = value(ask(host->episodes(), std::move(story))).episodes;
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0].observations.size() == ended.at("observations").as_array().size());
}

BOOST_AUTO_TEST_CASE(goals_that_it_concerns_are_told_and_moved) {
  auto id = id_of(begin_held());
  call("add_observation", R"({"type": "contextual_insight", "content": "User likes Burgundy",
    "confidence": 0.95, "turn_id": ")"
                            + id + "\"}");
  auto ended = end(id);
  BOOST_TEST(ended.at("goals").as_array().size() == 2u); // the flight, and the wine
}

BOOST_AUTO_TEST_CASE(its_result_is_told_as_often_as_one_asks) {
  auto id = id_of(begin_held());
  auto first = end(id);
  BOOST_TEST(to_text(end(id)) == to_text(first));
  BOOST_TEST(to_text(call("await_turn", R"({"turn_id": ")" + id + "\"}")) == to_text(first));
  BOOST_TEST(refusal("end_turn", R"({"turn_id": "turn_7"})") == "not_found turn_id");
  BOOST_TEST(refusal("end_turn", R"({})") == "invalid_request turn_id");
}

BOOST_AUTO_TEST_CASE(who_waits_for_it_does_not_end_it) {
  auto id = id_of(begin_held());
  auto waiting = send(operations, call_operation{by, "main", "await_turn", {{"turn_id", id}}});
  advance(std::chrono::seconds{60});
  BOOST_TEST(!waiting->arrived());
  auto ended = end(id);
  settle();
  BOOST_REQUIRE(waiting->arrived());
  BOOST_TEST(to_text(value(parse_result(value(*waiting->value).result))) == to_text(ended));
}

BOOST_AUTO_TEST_CASE(what_nobody_ends_ends_at_its_deadline) {
  auto usual = id_of(begin_held(R"(, "thread_id": "one")"));
  auto short_one = id_of(begin_held(R"(, "thread_id": "two", "deadline_ms": 20000)"));
  advance(std::chrono::seconds{30});
  BOOST_TEST(traced("close_turn") == 1u);
  BOOST_TEST(status_of(end(short_one)) == "timed_out");
  advance(std::chrono::seconds{560});
  BOOST_TEST(traced("close_turn") == 1u);
  advance(std::chrono::seconds{20});
  BOOST_TEST(traced("close_turn") == 2u);
  BOOST_TEST(traced("end_turn") == 2u);
  BOOST_TEST(status_of(end(usual)) == "timed_out");
}

BOOST_AUTO_TEST_CASE(nothing_is_added_to_a_turn_that_is_not_open) {
  auto id = id_of(begin_held());
  end(id);
  auto refused = [this](const std::string& turn_id) {
    return refusal("add_observation",
      R"({"type": "observation", "content": "Late", "turn_id": ")" + turn_id + "\"}");
  };
  BOOST_TEST(refused(id) == "not_found turn_id");
  BOOST_TEST(refused("turn_of_nobody") == "not_found turn_id");
  BOOST_TEST(query({}, "Late").total_count == 0u);
}

namespace {

/// Calls of `await_turn` for one turn.
struct waited_for : held_turns {
  using pending = std::shared_ptr<pending_answer<operation_answer>>;

  pending wait(const caller& who, const std::string& turn_id) {
    auto result =
      send(operations, call_operation{who, "main", "await_turn", {{"turn_id", turn_id}}});
    settle();
    return result;
  }

  static std::string refusal_of(const pending& x) {
    if (!x->arrived())
      return "waits";
    auto& answer = *x->value;
    return answer ? "none" : to_string(code_of(answer.error())) + " " + field_of(answer.error());
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(so_many_calls_wait_for_it_and_no_more, waited_for) {
  auto id = id_of(begin_held());
  std::vector<pending> all;
  for (const auto* name : {"one", "two"})
    for (auto i = 0; i < 32; ++i)
      all.push_back(wait(as_daemon(name), id));
  BOOST_TEST(refusal_of(wait(as_daemon("three"), id)) == "overloaded turn_id");
  for (const auto& x : all)
    BOOST_TEST(refusal_of(x) == "waits");
  auto ended = refusal("end_turn", R"({"turn_id": ")" + id + "\"}");
  BOOST_TEST(ended == "overloaded turn_id"); // the turn ends nevertheless
  advance(std::chrono::seconds{1});
  for (const auto& x : all)
    BOOST_TEST(refusal_of(x) == "none");
}

BOOST_FIXTURE_TEST_CASE(of_too_many_calls_of_one_the_first_gives_way, waited_for) {
  auto id = id_of(begin_held());
  std::vector<pending> all;
  for (auto i = 0; i < 34; ++i) // with different names
    all.push_back(wait(claimed("agent-" + std::to_string(i)), id));
  for (size_t i = 0; i < all.size(); ++i)
    BOOST_TEST(refusal_of(all[i]) == (i < 2 ? "overloaded turn_id" : "waits"));
  BOOST_TEST(refusal_of(wait(as_daemon("another"), id)) == "waits");
}

BOOST_FIXTURE_TEST_CASE(calls_that_are_over_leave_their_places, waited_for) {
  auto id = id_of(begin_held(R"(, "deadline_ms": 3600000)"));
  std::vector<pending> all;
  for (const auto* name : {"one", "two"})
    for (auto i = 0; i < 32; ++i)
      all.push_back(wait(as_daemon(name), id));
  advance(std::chrono::seconds{603});
  for (const auto& x : all)
    BOOST_TEST(refusal_of(x).starts_with("deadline_exceeded"));
  BOOST_TEST(refusal_of(wait(as_daemon("three"), id)) == "waits");
}

BOOST_AUTO_TEST_CASE(no_answer_is_made_up_for_a_call_that_is_over) {
  open_answers answers;
  auto number = answers.begin({}, std::chrono::seconds{2});
  BOOST_TEST(answers.is_open(number));
  for (auto i = 0; i < 3; ++i)
    answers.advance();
  BOOST_TEST(!answers.is_open(number));
}

BOOST_AUTO_TEST_CASE(a_thread_has_one_at_a_time_and_the_refusal_says_which) {
  auto id = id_of(begin_held());
  auto again = try_to("begin_turn", R"({"input": "And?", "hold": true})");
  BOOST_REQUIRE(!again);
  BOOST_TEST(to_string(code_of(again.error())) == "conflict");
  BOOST_TEST(field_of(again.error()) == "thread_id");
  BOOST_TEST(describe(again.error()).find(id) != std::string::npos);
  BOOST_TEST(
    status_of(call("begin_turn", R"({"input": "Thanks", "mode": "parallel"})")) == "complete");
  BOOST_TEST(
    status_of(call("begin_turn", R"({"input": "Thanks", "thread_id": "other"})")) == "complete");
  end(id);
  BOOST_TEST(status_of(call("begin_turn", R"({"input": "Thanks"})")) == "complete");
}

namespace {

/// Several callers in one thread.
struct shared_thread : held_turns {
  const caller ann = as_user("ann");
  const caller bob = as_user("bob");
  const caller assistant = as_daemon("assistant");

  std::string hold_as(const caller& who) {
    by = who;
    return id_of(begin_held(R"(, "deadline_ms": 604800000)"));
  }

  /// Begins a turn in the same thread. Returns its status, or the refusal.
  std::string say_as(const caller& who, const std::string& context = "{}") {
    by = who;
    auto arguments = R"({"input": "Hello there", "context": )" + context + "}";
    auto answer = try_to("begin_turn", arguments);
    return answer ? status_of(value(parse_result(answer->result)))
                  : to_string(code_of(answer.error())) + " " + field_of(answer.error());
  }
};

/// The status of a turn that answers a question which is not there.
constexpr auto heard_without_a_question = "more_work";

} // namespace

BOOST_FIXTURE_TEST_CASE(one_of_an_agent_keeps_no_person_from_speaking, shared_thread) {
  auto id = hold_as(assistant);
  BOOST_TEST(say_as(ann) == "complete");
  BOOST_TEST(say_as(ann, R"({"declines": "obs_1"})") == heard_without_a_question);
  BOOST_TEST(say_as(as_admin("root")) == "complete");
  by = assistant;
  BOOST_TEST(status_of(end(id)) == "complete"); // it was held until now
}

BOOST_FIXTURE_TEST_CASE(one_of_a_person_keeps_no_other_person_from_speaking, shared_thread) {
  hold_as(bob);
  hold_as(ann);
  BOOST_TEST(say_as(as_user("carol")) == "complete");
  BOOST_TEST(say_as(ann) == "conflict thread_id");
  BOOST_TEST(say_as(bob) == "conflict thread_id");
}

BOOST_FIXTURE_TEST_CASE(an_agent_does_not_begin_while_somebody_else_holds_one, shared_thread) {
  hold_as(ann);
  BOOST_TEST(say_as(assistant) == "conflict thread_id");
  hold_as(bob);
  BOOST_TEST(say_as(as_daemon("other")) == "conflict thread_id");
}

BOOST_FIXTURE_TEST_CASE(a_person_answers_by_name_while_their_own_is_held, shared_thread) {
  hold_as(ann);
  BOOST_TEST(say_as(ann) == "conflict thread_id");
  BOOST_TEST(say_as(ann, R"({"confirms": []})") == "conflict thread_id");
  BOOST_TEST(say_as(ann, R"({"confirms": "obs_1"})") == heard_without_a_question);
  BOOST_TEST(say_as(ann, R"({"declines": ["obs_1"]})") == heard_without_a_question);
  BOOST_TEST(say_as(ann, R"({"confirms": [], "answers": "obs_1"})") == "complete");
  BOOST_TEST(say_as(assistant, R"({"answers": "obs_1"})") == "conflict thread_id");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(held_turn_with_tools, asked_team)

namespace {

/// A team with slow turns, and a tool that needs a person's consent.
struct slow_thread : asked_team {
  using pending = std::shared_ptr<pending_answer<operation_answer>>;

  slow_thread() {
    recorded_response slow;
    slow.latency_ms = 60'000;
    add_tool({.tool_id = "search", .timeout_ms = 90'000}, {slow}).after_last = after_last::repeat;
    add_tool({.tool_id = "pay", .idempotent = true, .permissions = {"payments"}});
    asked_team::begin();
  }

  pending start_as(const caller& who, std::string_view arguments) {
    call_operation request{who, "main", "begin_turn", parse_json(arguments)->get_object()};
    auto result = send(operations, std::move(request));
    settle();
    return result;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(turns_of_an_agent_that_wait_keep_no_person_waiting, slow_thread) {
  auto assistant = as_daemon("assistant");
  auto at_work =
    start_as(assistant, R"({"input": "Search", "hold": true, "plan": [{"tool_id": "search"}]})");
  std::vector<pending> waiting;
  for (int i = 0; i < 5; ++i)
    waiting.push_back(start_as(assistant, R"({"input": "Search", "hold": true})"));
  auto said = start_as(as_user("ann"), R"({"input": "Yes"})");
  advance(std::chrono::seconds{1});
  BOOST_TEST(said->arrived());
  BOOST_TEST(!at_work->arrived());
  for (const auto& x : waiting)
    BOOST_TEST(!x->arrived());
}

BOOST_FIXTURE_TEST_CASE(turns_of_one_person_begin_one_after_the_other, slow_thread) {
  auto ann = as_user("ann");
  auto first = start_as(ann, R"({"input": "Search", "plan": [{"tool_id": "search"}]})");
  auto second = start_as(ann, R"({"input": "And?", "context": {"answers": "obs_1"}})");
  advance(std::chrono::seconds{50});
  BOOST_TEST(!second->arrived());
  BOOST_TEST(of_type("user_input").size() == 1u);
  advance(std::chrono::seconds{20});
  BOOST_TEST(first->arrived());
  BOOST_TEST(second->arrived());
}

BOOST_FIXTURE_TEST_CASE(an_answer_by_name_begins_as_soon_as_the_persons_own_is_held, slow_thread) {
  auto ann = as_user("ann");
  auto held =
    start_as(ann, R"({"input": "Search", "hold": true, "plan": [{"tool_id": "search"}]})");
  auto said = start_as(ann, R"({"input": "And?"})");
  auto answer = start_as(ann, R"({"input": "Yes", "context": {"confirms": "obs_1"}})");
  advance(std::chrono::seconds{50});
  BOOST_TEST(!answer->arrived());
  advance(std::chrono::seconds{20});
  BOOST_TEST(held->arrived());
  BOOST_TEST(answer->arrived());
  BOOST_TEST(!said->arrived());
}

BOOST_FIXTURE_TEST_CASE(a_person_consents_while_an_agent_holds_their_thread, slow_thread) {
  by = as_daemon("assistant");
  call("begin_turn",
    R"({"input": "Pay", "user_id": "ann", "plan": [{"tool_id": "pay", "inputs": {"amount": 1}}]})");
  auto asked = of_type("pending_confirmation");
  BOOST_REQUIRE(asked.size() == 1u);
  auto held = call("begin_turn", R"({"input": "Hello", "hold": true, "deadline_ms": 604800000})");
  BOOST_TEST(held.at("status").as_string() == "held");
  by = as_user("ann");
  call("begin_turn",
    R"({"input": "Yes", "context": {"confirms": ")" + asked.front()->observation_id + "\"}}");
  BOOST_TEST(of_type("tool_result").size() == 1u);
  BOOST_TEST(of_type("pending_confirmation").empty());
}

BOOST_AUTO_TEST_CASE(one_that_is_ended_while_its_tools_run_is_not_held) {
  recorded_response slow;
  slow.latency_ms = 5'000;
  add_tool({.tool_id = "search"}, {slow});
  begin();
  auto held =
    send(operations, call_operation{by, "main", "begin_turn",
                       {{"input", "Search"}, {"hold", true}, {"plan", {{{"tool_id", "search"}}}}}});
  advance(std::chrono::seconds{1});
  BOOST_TEST(!held->arrived());
  auto id = of_type("user_input").at(0)->source.turn_id;
  auto ended = call("end_turn", R"({"turn_id": ")" + id + "\"}");
  settle();
  BOOST_REQUIRE(held->arrived());
  BOOST_TEST(to_text(value(parse_result(value(*held->value).result))) == to_text(ended));
  BOOST_TEST(ended.at("status").as_string() == "complete");
}

BOOST_AUTO_TEST_CASE(one_waits_for_its_tools_before_it_is_told) {
  recorded_response slow;
  slow.latency_ms = 5'000;
  slow.observations = {{{"type", "observation"}, {"content", "Two flights"}, {"confidence", 0.9}}};
  add_tool({.tool_id = "search"}, {slow});
  begin();
  auto turn =
    call("begin_turn", R"({"input": "Search", "hold": true, "plan": [{"tool_id": "search"}]})");
  BOOST_TEST(turn.at("status").as_string() == "held");
  const auto& all = turn.at("observations").as_array();
  BOOST_TEST(std::any_of(all.begin(), all.end(),
    [](const json::value& x) { return x.at("content").as_string() == "Two flights"; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
