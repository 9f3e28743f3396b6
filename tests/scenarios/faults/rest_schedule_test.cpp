#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/api/operations.hpp"
#include "scratchpage/tests/support/callers.hpp"
#include "scratchpage/tests/support/chance.hpp"
#include "scratchpage/tests/support/durable_team.hpp"

/// A thousand rests between operations that were drawn at random: each answer is that of an agent
/// that never rests.

namespace scratchpage::test {

namespace {

/// An operation as a client calls it.
struct drawn_call {
  caller by;
  std::string operation;
  json::object arguments;
};

/// An agent with a tool, which is asked as a client asks it.
struct asked_agent : durable_team {
  asked_agent() {
    setup.config.profile.scratchbook = true;
    setup.config.page.max_observations = 60; // so that some are evicted
    setup.config.turns.kept_results = 4;
    setup.config.frontal_cortex.max_goals = 20;
    setup.daemons_begin_late = true; // as in a host
    tool_manifest wine{.tool_id = "wine_search"};
    wine.observation_types = {"contextual_insight"};
    recorded_response found;
    found.observations.push_back(json::object{{"type", "contextual_insight"},
      {"content", "User prefers Burgundy wines"}, {"confidence", 0.95}, {"tags", {"wine"}}});
    add_tool(std::move(wine), {std::move(found)}).after_last = after_last::repeat;
    begin();
  }

  std::string answer_of(const drawn_call& x) {
    auto operations = make<operations_state>(
      operations_parts{host->page(), host->cortex(), host->turns(), host->working_memory(),
        host->scratchbooks(), host->facts(), host->episodes(), host->memories()});
    auto answer = send(operations, call_operation{x.by, "main", x.operation, x.arguments});
    settle();
    while (!answer->arrived() && driver.advance_to_next_deadline()) {
    }
    BOOST_REQUIRE(answer->arrived());
    auto text = *answer->value ? (**answer->value).result : describe(answer->value->error());
    // How far the index of words is, is work in the background and no answer.
    if (x.operation == "page_stats")
      text.resize(std::min(text.size(), text.find(",\"text_bytes\"")));
    caf::anon_send_exit(operations, caf::exit_reason::user_shutdown);
    settle();
    return text;
  }
};

/// Draws operations, on things that earlier answers have named.
class drawn_calls {
public:
  explicit drawn_calls(uint64_t seed)
    : chance_{seed} {}

  drawn_call next() {
    using draw = drawn_call (drawn_calls::*)();
    constexpr std::array<draw, 10> kinds{&drawn_calls::add, &drawn_calls::add, &drawn_calls::add,
      &drawn_calls::change, &drawn_calls::read, &drawn_calls::read, &drawn_calls::turn,
      &drawn_calls::plan, &drawn_calls::know, &drawn_calls::note};
    return (this->*kinds[chance_.below(kinds.size())])();
  }

  /// Remembers the ids in an answer.
  void learn(const std::string& answer) {
    if (auto x = parse_result(answer))
      look_at(*x);
  }

private:
  /// Ids are the values of `observation_id`, `goal_id`, `fact_id`, `turn_id`, `action_id` and `id`.
  void look_at(const json::value& x) {
    if (const auto* list = x.if_array())
      for (const auto& one : *list)
        look_at(one);
    if (const auto* object = x.if_object())
      for (const auto& [name, value] : *object) {
        look_at(value);
        auto is_id = name == "id" || name.ends_with("_id");
        if (is_id && value.is_string())
          note_id(ids_[std::string{name}], std::string{value.get_string()});
      }
  }

  static void note_id(std::deque<std::string>& known, std::string id) {
    constexpr size_t most = 60;
    known.push_back(std::move(id));
    if (known.size() > most)
      known.pop_front();
  }

  /// One of the latest ids of that name.
  std::string any(const std::string& name) {
    const auto& known = ids_[name];
    return known.empty() ? "unknown" : known[chance_.below(known.size())];
  }

  std::string words() {
    return chance_.any_of<std::string>({"red wine", "the train to Paris", "tea with milk",
      "rain in Lyon", "the budget of May", "a table for two"});
  }

  std::string sentence() {
    return chance_.any_of<std::string>({"I want to fly to Paris next week.", "Which wine?",
      "I live in Lyon.", "No, that is wrong, I live in Rome.", "Yes, please.", "Thank you!",
      "Remind me to call the garage tomorrow.", "Can you book it?", "I hate red wine.",
      "My name is Ann and I prefer trains.", "What is the time?", "The search failed again."});
  }

  caller somebody() {
    return chance_.any_of<caller>({as_user("ann"), as_daemon("planner"),
      from_outside(as_tool("meter")), as_outside(as_user("ben"))});
  }

  drawn_call add() {
    json::object x{
      {"type", chance_.any_of<std::string>({"observation", "alert", "reminder", "dependency",
                 "contextual_insight", "open_question", "preference_learned"})},
      {"content", words()}, {"confidence", 0.5 + 0.05 * static_cast<double>(chance_.below(10))},
      {"tags", json::array{chance_.any_of<std::string>({"wine", "trip"})}}};
    if (chance_.one_in(2))
      x["ttl_minutes"] = chance_.any_of<double>({1, 10, 60, 500});
    return {somebody(), "add_observation", std::move(x)};
  }

  drawn_call change() {
    auto id = any("observation_id");
    switch (chance_.below(4)) {
    case 0:
      return {as_daemon("planner"), "archive_observation", {{"observation_id", id}}};
    case 1:
      return {as_daemon("planner"), "clear_resolved", {{"observation_ids", json::array{id}}}};
    case 2:
      return {as_daemon("planner"), "update_observation",
        {{"observation_id", id}, {"changes", json::object{{"content", words()}}}}};
    default:
      return {as_daemon("planner"), "update_observation",
        {{"observation_id", id},
          {"changes", json::object{{"status",
                        chance_.any_of<std::string>({"acknowledged", "resolved", "active"})}}}}};
    }
  }

  drawn_call read() {
    switch (chance_.below(9)) {
    case 0:
      return {as_user("ann"), "query_observations", {{"query", words()}, {"limit", 5}}};
    case 1:
      return {as_user("ann"), "list_observations", {{"limit", 1'000}}};
    case 2:
      return {as_user("ann"), "list_archive", {{"limit", 1'000}}};
    case 3:
      return {as_user("ann"), "get_active_observations", {{"limit", 10}}};
    case 4:
      return {as_user("ann"), "assemble_context", {{"prompt", words()}, {"budget", 400}}};
    case 5:
      return {as_user("ann"), "page_stats", {}};
    case 6:
      return {as_user("ann"), "query_episodes", {{"query", words()}, {"limit", 3}}};
    case 7:
      return {as_user("ann"), "search_memory", {{"query", words()}}};
    default:
      return {as_user("ann"), "get_observation", {{"observation_id", any("observation_id")}}};
    }
  }

  drawn_call turn() {
    if (chance_.one_in(4))
      return {as_user("ann"), "await_turn", {{"turn_id", any("turn_id")}}};
    json::object x{{"input", sentence()}, {"user_id", "ann"}, {"thread_id", "main"}};
    if (chance_.one_in(2))
      x["plan"] = json::array{json::object{{"tool_id", "wine_search"}, {"inputs", json::object{}}}};
    return {as_user("ann"), "begin_turn", std::move(x)};
  }

  drawn_call plan() {
    switch (chance_.below(4)) {
    case 0:
      return {as_user("ann"), "create_goal", {{"title", "Buy " + words()}}};
    case 1:
      return {as_user("ann"), "goal_update",
        {{"goal_id", any("goal_id")},
          {"status", chance_.any_of<std::string>({"in_progress", "completed", "abandoned"})}}};
    case 2:
      return {as_user("ann"), "action_complete",
        {{"goal_id", any("goal_id")}, {"action_id", any("action_id")}}};
    default:
      return {as_user("ann"), "goals_list", {{"limit", 100}}};
    }
  }

  drawn_call know() {
    switch (chance_.below(4)) {
    case 0:
      return {as_user("ann"), "add_fact", {{"statement", "Ann likes " + words()}}};
    case 1:
      return {as_user("ann"), "forget", {{"id", any("fact_id")}}};
    case 2:
      return {as_user("ann"), "forget", {{"id", any("observation_id")}}};
    default:
      return {as_user("ann"), "query_facts", {{"limit", 100}}};
    }
  }

  drawn_call note() {
    switch (chance_.below(3)) {
    case 0:
      return {as_user("ann"), "scratch_add", {{"kind", "todo"}, {"title", words()}}};
    case 1:
      return {as_user("ann"), "scratch_complete", {{"id", any("id")}}};
    default:
      return {as_user("ann"), "scratch_read", {}};
    }
  }

  chance chance_;
  std::map<std::string, std::deque<std::string>> ids_;
};

/// Two agents that are asked the same. One of them rests after each answer.
struct two_agents {
  asked_agent awake;
  asked_agent resting;
  std::map<std::string, int> answered; ///< without an error, by operation

  void play(uint64_t seed, int rests) {
    drawn_calls calls{seed};
    chance times{seed};
    for (int i = 0; i < rests; ++i) {
      auto x = calls.next();
      auto expected = awake.answer_of(x);
      auto found = resting.answer_of(x);
      BOOST_REQUIRE_MESSAGE(found == expected,
        "rest " << i << ", " << x.operation << " " << to_text(json::value(x.arguments))
                << "\nawake:   " << expected << "\nresting: " << found);
      if (parse_result(expected) || x.operation == "page_stats")
        ++answered[x.operation];
      calls.learn(expected);
      pass(std::chrono::seconds{times.any_of({2, 2, 3, 30, 600, 5'000})});
    }
  }

  /// The System Analyzer looks at measurements for a second, so the agent rests a little later.
  void pass(timespan x) {
    constexpr timespan until_rest = std::chrono::seconds{2};
    awake.advance(x);
    resting.advance(until_rest);
    resting.rest(x - until_rest);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(rest_schedules)

BOOST_AUTO_TEST_CASE(each_answer_between_a_thousand_rests_is_that_of_an_agent_that_never_rests) {
  constexpr int rests_of_a_pair = 250; // a page and its histories grow, which makes a test slow
  std::map<std::string, int> answered;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    two_agents agents;
    agents.play(seed, rests_of_a_pair);
    for (const auto& [operation, times] : agents.answered)
      answered[operation] += times;
  }
  for (const auto* operation : {"add_observation", "update_observation", "archive_observation",
         "query_observations", "list_archive", "assemble_context", "begin_turn", "await_turn",
         "create_goal", "goal_update", "goals_list", "add_fact", "query_facts", "forget",
         "scratch_add", "scratch_read", "query_episodes", "search_memory", "page_stats"})
    BOOST_TEST(answered[operation] > 0, operation << " was never answered without an error");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
