#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/one_page.hpp"

namespace scratchpage::test {

namespace {

using contexts = std::vector<std::string>; // for each call of a tool, the contents it got

/// A tool that writes down the observations that it gets with each call.
tool_definition listener(std::string tool_id, std::shared_ptr<contexts> heard) {
  tool_manifest manifest;
  manifest.tool_id = std::move(tool_id);
  return {std::move(manifest), function_tool{[heard](const tool_request& x) {
            std::string all;
            for (const auto& one : x.scratch_page_context)
              all.append(all.empty() ? "" : ", ").append(one.content);
            heard->push_back(all);
            BOOST_TEST(!x.cause); // tools do not learn the cause
            return tool_response{};
          }}};
}

begin_turn turn_of(turn_mode mode, std::string input, std::vector<planned_call> plan) {
  begin_turn request;
  request.thread_id = "main";
  request.user_id = "ann";
  request.input = std::move(input);
  request.plan = std::move(plan);
  request.mode = mode;
  return request;
}

planned_call asking(std::string tool_id, std::vector<std::string> tags) {
  auto result = call(std::move(tool_id));
  result.scratch_page_query = scratch_page_query{tagged(std::move(tags))};
  return result;
}

} // namespace

// -- parallel turns -------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(turns_in_parallel_share_the_page, team, *label("SP_parallel_turns")) {
  recorded_response found;
  found.scratch_page_writes = {
    {{"type", "contextual_insight"}, {"content", "User prefers Burgundy"}, {"confidence", 0.8},
      {"tags", {"wine"}}},
    {{"type", "risk_alert"}, {"content", "The wine may be corked"}, {"confidence", 0.8},
      {"tags", {"wine"}}}};
  found.latency_ms = 1'000;
  add_tool({.tool_id = "wine_recommender"}, {found});
  add_tool({.tool_id = "wait"}, {{.latency_ms = 2'000}});
  auto heard = std::make_shared<contexts>();
  setup.tools.push_back(listener("cellar", heard));
  start();

  auto first = send(
    host->turns(), turn_of(turn_mode::parallel, "Recommend something", {call("wine_recommender")}));
  auto second =
    send(host->turns(), turn_of(turn_mode::parallel, "Look around",
                          {asking("cellar", {"wine"}), call("wait"), asking("cellar", {"wine"})}));
  advance(std::chrono::milliseconds{1'500});
  auto third = send(
    host->turns(), turn_of(turn_mode::parallel, "Open the wine", {asking("cellar", {"wine"})}));
  advance(std::chrono::seconds{1});
  for (const auto& turn : {first, second, third})
    BOOST_REQUIRE(turn->arrived());
  auto one = value(*first->value);
  auto two = value(*second->value);
  auto three = value(*third->value);
  BOOST_TEST((two.started_at < one.ended_at));
  BOOST_TEST((three.started_at < two.ended_at));

  // The second turn queries before and after the first adds its findings, the third after it.
  contexts expected{"", "The wine may be corked, User prefers Burgundy",
    "The wine may be corked, User prefers Burgundy"};
  BOOST_TEST(*heard == expected, boost::test_tools::per_element());
  BOOST_TEST(to_string(two.urgency) == "low");
  BOOST_TEST(to_string(three.urgency) == "high");
  BOOST_TEST(to_string(one.status) == "more_work"); // it warned, and recommended nothing
  BOOST_TEST(to_string(two.status) == "complete");
  BOOST_TEST(to_string(three.status) == "complete");

  // All three see the same page, and each result lists only what its own turn added.
  std::string seen;
  for (const auto& turn : {one, two, three}) {
    auto by = as_daemon("executor", turn.turn_id);
    auto page = text(value(ask(host->page(), query_by(by, tagged({"wine"})))).observations);
    BOOST_TEST((seen.empty() || page == seen));
    seen = page;
    for (const auto& x : turn.observations)
      BOOST_TEST(x->source.turn_id == turn.turn_id);
  }
}

// -- background turns -----------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_background_turn_answers_first_and_finds_later, team, *label("SP_background_turn")) {
  recorded_response findings;
  findings.observations = {{{"type", "observation"}, {"content", "Research findings"},
    {"confidence", 0.9}, {"tags", {"findings"}}}};
  findings.latency_ms = 5'000;
  add_tool({.tool_id = "research"}, {findings});
  auto heard = std::make_shared<contexts>();
  setup.tools.push_back(listener("follow_up", heard));
  start();

  auto begun = now();
  auto early = run(turn_of(turn_mode::background, "Look into it", {call("research")}));
  BOOST_TEST(to_string(early.status) == "background");
  BOOST_TEST(!early.response.empty());
  BOOST_TEST(in_milliseconds(now() - begun) < 5'000);
  BOOST_TEST(query(tagged({"findings"})).total_count == 0u);

  // Another turn runs in the meantime.
  BOOST_TEST(to_string(say("Hello", {asking("follow_up", {"findings"})}).status) == "complete");
  BOOST_TEST(query(tagged({"findings"})).total_count == 0u);

  auto ended = send(host->turns(), await_turn{early.turn_id});
  advance(std::chrono::seconds{6});
  BOOST_REQUIRE(ended->arrived());
  auto whole = value(*ended->value);
  BOOST_TEST(to_string(whole.status) == "complete");
  BOOST_TEST(whole.turn_id == early.turn_id);
  auto found = query(tagged({"findings"})).observations;
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0]->source.name == "research");
  BOOST_TEST(found[0]->source.turn_id == early.turn_id);
  BOOST_TEST(ids_of(whole.observations).contains(found[0]->observation_id));

  say("And?", {asking("follow_up", {"findings"})});
  BOOST_TEST(*heard == (contexts{"", "Research findings"}), boost::test_tools::per_element());
}

// -- what is kept of turns ---------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(results_that_are_kept_are_bounded_in_bytes, team) {
  setup.config.turns.kept_bytes = 1 << 20;
  start();
  std::vector<turn_result> all;
  for (auto i = 0; i < 24; ++i)
    all.push_back(say(std::string(60'000, 'x') + std::to_string(i)));
  auto await = [&](const turn_result& x) {
    auto answer = send(host->turns(), await_turn{x.turn_id});
    advance(std::chrono::seconds{1});
    return std::move(*answer->value);
  };
  BOOST_TEST(value(await(all.back())).observations.size() == all.back().observations.size());
  auto forgotten = await(all.front());
  BOOST_REQUIRE(!forgotten);
  BOOST_TEST((code_of(forgotten.error()) == errc::not_found));
}

BOOST_FIXTURE_TEST_CASE(a_context_that_is_too_large_is_refused_before_the_turn_begins, team) {
  start();
  auto request = turn_of(turn_mode::sequential, "x", {});
  request.context = {{"key", std::string(66'000, 'x')}};
  auto answer = send(host->turns(), request);
  advance(std::chrono::seconds{1});
  BOOST_REQUIRE(answer->arrived());
  BOOST_REQUIRE(!*answer->value);
  BOOST_TEST(field_of(answer->value->error()) == "context");
  BOOST_TEST(query({}).total_count == 0u);
}

namespace {

/// A wall clock that a test sets. The steady time does not change with it.
class moved_clock : public scratchpage::clock {
public:
  explicit moved_clock(std::shared_ptr<const scratchpage::clock> under)
    : under_{std::move(under)} {}

  timestamp now() const override { return under_->now() + set_by; }
  timespan steady() const override { return under_->steady(); }

  timespan set_by{0};

private:
  std::shared_ptr<const scratchpage::clock> under_;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(how_long_a_turn_took_does_not_depend_on_a_clock_that_is_set, team) {
  auto moved = std::make_shared<moved_clock>(driver.clock());
  setup.tools.push_back({{.tool_id = "set_clock"}, function_tool{[moved](const tool_request&) {
                           moved->set_by = -std::chrono::hours{1};
                           return tool_response{};
                         }}});
  add_tool({.tool_id = "wait"}, {{.latency_ms = 2'000}});
  setup.clock = moved;
  setup.trace = trace;
  setup.allow_threads = false;
  host = std::make_unique<ensemble>(sys, setup);
  settle();
  auto turn = say("Set the clock", {call("set_clock"), call("wait")});
  BOOST_TEST(turn.response == "Complete: 2 calls succeeded in 2000ms");
}

// -- the trace ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  an_addition_is_traced_with_what_it_is_and_whose, team, *label("SP_trace_entry")) {
  recorded_response found;
  found.scratch_page_writes = {{{"type", "contextual_insight"},
    {"content", "User prefers Burgundy"}, {"confidence", 0.8}, {"tags", {"wine"}}}};
  add_tool({.tool_id = "wine_recommender"}, {found});
  start();
  auto turn = say("Recommend a wine", {call("wine_recommender")});
  auto insight = of_type("contextual_insight").at(0);
  auto entries = entries_about(*trace, "add_observation", insight->observation_id);
  BOOST_REQUIRE(entries.size() == 1u);
  const auto& x = entries[0];
  auto shown = to_json(x).get_object();
  BOOST_TEST(to_text(shown.at("timestamp")) == "\"2025-11-05T10:00:00.000Z\"");
  BOOST_TEST(to_text(shown.at("component")) == "\"scratch_page\"");
  BOOST_TEST(to_text(shown.at("operation")) == "\"add_observation\"");
  BOOST_TEST(to_text(shown.at("source")) == "\"wine_recommender\"");
  BOOST_TEST(to_text(shown.at("status")) == "\"success\"");
  BOOST_TEST(x.agent_id == "tester");
  BOOST_TEST(x.turn_id == turn.turn_id);
  BOOST_TEST(detail_of(x, "observation_type") == "contextual_insight");

  // The beginning of the turn is an ancestor of all its entries, and ids are unique.
  auto begun = entries_of(*trace, "begin_turn");
  BOOST_REQUIRE(begun.size() == 1u);
  std::set<span_id> ids;
  for (const auto& entry : trace->entries()) {
    BOOST_TEST(ids.insert(entry.id).second);
    if (entry.turn_id == turn.turn_id && entry.id != begun[0].id)
      BOOST_TEST(is_caused_by(*trace, entry, begun[0].id),
        entry.component << " " << entry.operation << " stands alone");
  }
}

BOOST_FIXTURE_TEST_CASE(every_operation_on_the_page_is_traced, one_page, *label("SP_trace_entry")) {
  auto by = as_daemon("planner", "turn_1");
  auto last = [&](std::string_view operation) {
    auto entries = entries_of(*trace, operation, "planner");
    BOOST_REQUIRE_MESSAGE(!entries.empty(), operation);
    BOOST_TEST(entries.back().component == "scratch_page", operation);
    BOOST_TEST(entries.back().turn_id == "turn_1", operation);
    return entries.back().status;
  };
  auto id = add(by, draft("observation", "One")).observation->observation_id;
  BOOST_TEST(last("add_observation") == "success");
  ask(page, add_observation{by, draft("no_such_type", "Two")});
  BOOST_TEST(last("add_observation") == "unknown_type");
  auto before = entries_of(*trace, "add_observation").size();
  ask(page, add_observations{by, {draft("observation", "Three"), draft("observation", " ")}});
  BOOST_TEST(entries_of(*trace, "add_observation").size() == before + 2);
  BOOST_TEST(last("add_observation") == "invalid_observation");
  query(by, {});
  BOOST_TEST(last("query_observations") == "success");
  ask(page, get_observation{by, id});
  BOOST_TEST(last("get_observation") == "success");
  ask(page, get_active_observations{by});
  BOOST_TEST(last("get_active_observations") == "success");

  observation_changes resolved;
  resolved.status = status::resolved;
  update_observation change{.by = by, .observation_id = id, .changes = resolved};
  ask(page, change);
  BOOST_TEST(last("update_observation") == "success");
  ask(page, clear_resolved{by, {id}});
  BOOST_TEST(last("clear_resolved") == "success");
  ask(page, change);
  BOOST_TEST(last("update_observation") == "invalid_transition");
  ask(page, clear_resolved{by, {id}});
  BOOST_TEST(last("clear_resolved") == "not_found");
  ask(page, archive_observation{by, "obs_20251105_002"});
  BOOST_TEST(last("archive_observation") == "success");
  ask(page, archive_observation{by, id});
  BOOST_TEST(last("archive_observation") == "not_found");
  list_archive archived;
  archived.by = by;
  ask(page, archived);
  BOOST_TEST(last("list_archive") == "success");
  ask(page, register_type{by, "new_type"});
  BOOST_TEST(last("register_type") == "forbidden");
  ask(page, open_turn{by});
  BOOST_TEST(last("open_turn") == "success");
  ask(page, close_turn{by});
  BOOST_TEST(last("close_turn") == "success");
  ask(page, subscribe{as_tool("planner", "turn_1"), {}, {}, {}, true});
  BOOST_TEST(last("subscribe") == "forbidden");
  ask(page, close_turn{by});
  BOOST_TEST(last("close_turn") == "not_found");
  auto as_planner = as_tool("planner", "turn_1");
  ask(page, link_observations{as_planner, "goal_1", {id}});
  BOOST_TEST(last("link_observation") == "forbidden");
  ask(page, release_turn{as_planner});
  BOOST_TEST(last("release_turn") == "forbidden");
}

BOOST_FIXTURE_TEST_CASE(a_turn_whose_calls_have_much_to_say_is_evaluated_all_the_same, team) {
  recorded_response broken{
    .status = tool_status::error, .outputs = {{"error", std::string(2'000, 'x')}}};
  auto& tool = add_tool({.tool_id = "tool_x"}, {broken});
  tool.after_last = after_last::repeat;
  start();
  std::vector<planned_call> plan;
  for (auto i = 0; i < 60; ++i)
    plan.push_back(call("tool_x"));
  for (size_t i = 0; i < plan.size(); ++i)
    plan[i].call_id = "call_" + std::to_string(i);
  auto turn = say("Do X", plan);
  auto evaluated = of_type("evaluation_result");
  BOOST_REQUIRE(evaluated.size() == 1u);
  BOOST_TEST(evaluated.front()->metadata.contains("outcome"));
  BOOST_TEST(turn.assessment.contains("outcome"));
}

} // namespace scratchpage::test
