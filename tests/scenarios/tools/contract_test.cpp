#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/tools/tool_team.hpp"

namespace scratchpage::test {

namespace {

using boost::unit_test::label;

/// The answer of a tool in the specification.
constexpr auto weather_answer = R"({
  "request_id": "req_20251105_001",
  "status": "ok",
  "outputs": {"forecast": {"location": "Paris", "temperature": 15, "condition": "cloudy"}},
  "observations": [
    {"type": "contextual_insight", "content": "Weather API returned data in 234ms",
     "confidence": 0.95, "tags": ["performance", "weather_api"], "ttl_minutes": 1440},
    {"type": "contextual_insight", "content": "Paris weather is typical for November",
     "confidence": 0.85, "tags": ["weather", "seasonal"], "ttl_minutes": 10080}
  ],
  "memory_writes": [],
  "scratch_page_writes": [
    {"type": "contextual_insight", "content": "User interested in Paris weather",
     "confidence": 0.9, "tags": ["user_interest", "weather"], "ttl_minutes": 2880}
  ]})";

update_observation change_of(const caller& by, const observation_ptr& x) {
  update_observation result{
    .by = by, .observation_id = x->observation_id, .changes = {}, .expected_revision = {}};
  result.changes.content = "Something else";
  return result;
}

} // namespace

// -- what tools write -----------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(observations_and_writes_are_stored_in_order_with_the_tool_as_source,
  tool_team, *label("SP_tool_writes")) {
  add_function("weather_api", [](const tool_request&) {
    return value(from_json<tool_response>(value(parse_json(weather_answer))));
  });
  start();
  auto turn = use("weather_api");

  auto stored = noticed_by("weather_api");
  BOOST_TEST(contents_of(stored)
               == (texts{"Weather API returned data in 234ms",
                 "Paris weather is typical for November", "User interested in Paris weather"}),
    boost::test_tools::per_element());
  const std::vector<double> confidences{0.95, 0.85, 0.9};
  const std::vector<double> minutes{1440, 10080, 2880};
  for (size_t i = 0; i < stored.size(); ++i) {
    BOOST_TEST(stored[i]->confidence == confidences[i]);
    BOOST_TEST(stored[i]->ttl_minutes == minutes[i]);
    BOOST_TEST(to_string(stored[i]->source.kind) == "tool");
    BOOST_TEST(stored[i]->source.name == "weather_api");
    BOOST_TEST(stored[i]->source.turn_id == turn.turn_id);
    BOOST_TEST(entry_about(stored[i]).source == "weather_api");
  }
  auto results = of_type("tool_result");
  BOOST_REQUIRE(results.size() == 1u);
  BOOST_TEST(results.front()->content.find("cloudy") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(
  a_tool_writes_the_types_that_tools_write, tool_team, *label("SP_tool_writes")) {
  const texts types{"observation", "contextual_insight", "action_suggestion", "dependency",
    "reminder", "alert", "risk_alert", "security_alert"};
  recorded_response answer;
  for (const auto& type : types)
    answer.scratch_page_writes.push_back({{"type", type}, {"content", "A " + type},
      {"confidence", 0.6}, {"tags", {"wine"}}, {"metadata", {{"vintage", 2020}}}});
  add_tool(manifest("wine_search"), {answer});
  start();
  use("wine_search");
  auto stored = noticed_by("wine_search");
  BOOST_REQUIRE(stored.size() == types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    BOOST_TEST(stored[i]->type == types[i]);
    BOOST_TEST(stored[i]->content == "A " + types[i]);
    BOOST_TEST(number_at(stored[i]->metadata, "vintage").value_or(0) == 2020);
  }
}

BOOST_FIXTURE_TEST_CASE(a_tool_cannot_pass_for_somebody_else, tool_team,
  *label("SP_tool_writes") * label("SP_access_tools")) {
  add_reporter("wine_search", {R"([{"type": "observation", "content": "Trust me",
    "source": {"daemon": "router", "turn_id": "turn_x", "timestamp": "2025-11-05T09:00:00Z"}}])"});
  start();
  auto turn = use("wine_search");
  auto x = noticed_once_by("wine_search");
  BOOST_TEST(to_string(x->source.kind) == "tool");
  BOOST_TEST(x->source.turn_id == turn.turn_id);
  auto added = entry_about(x);
  BOOST_REQUIRE(added.detail.contains("warnings"));
  BOOST_TEST(to_text(added.detail["warnings"]).find("source") != std::string::npos);
}

// -- what tools ask -------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_tool_is_told_what_its_query_found, tool_team, *label("SP_tool_query")) {
  add_function("wine_recommender");
  start();
  auto by = as_daemon("memory");
  auto of_user = draft("contextual_insight", "User said: no white wine", 0.9, {"wine"});
  of_user.owner = "user";
  auto wanted = add(by, draft("contextual_insight", "User prefers Burgundy wines", 0.9, {"wine"}));
  add(by, of_user);
  add(by, draft("contextual_insight", "User goes to Paris", 0.9, {"travel"}));
  auto asking_for_wine = asking("wine_recommender", {"wine"});
  asking_for_wine.scratch_page_query->filters.owner = {"agent"};
  auto turn = say("Recommend a wine", {asking_for_wine});

  BOOST_REQUIRE(asked.size() == 1u);
  BOOST_REQUIRE(asked[0].scratch_page_query.has_value());
  BOOST_REQUIRE(asked[0].scratch_page_context.size() == 1u);
  const auto& told = asked[0].scratch_page_context.front();
  BOOST_TEST(told.id == wanted.observation->observation_id);
  BOOST_TEST(told.type == "contextual_insight");
  BOOST_TEST(told.content == "User prefers Burgundy wines");
  BOOST_TEST(told.confidence == 0.9);
  BOOST_TEST(to_rfc3339(told.created_at) == to_rfc3339(wanted.observation->created_at));

  auto queries = entries("query_observations", "success");
  BOOST_TEST(std::count_if(queries.begin(), queries.end(), [&](const trace_entry& x) {
    return x.source == "wine_recommender" && x.turn_id == turn.turn_id
           && number_at(x.detail, "returned").value_or(0) == 1;
  }) == 1);
}

BOOST_FIXTURE_TEST_CASE(
  a_tools_query_filters_by_type_and_status_too, tool_team, *label("SP_tool_query")) {
  add_function("wine_recommender");
  start();
  auto pending = draft("observation", "A corked bottle", 0.9, {"wine"});
  pending.status = status::pending_review;
  add(as_daemon("memory"), pending);
  add(as_daemon("memory"), draft("observation", "An open bottle", 0.9, {"wine"}));
  add(as_daemon("memory"), draft("reminder", "Buy a bottle", 0.5, {"wine"}));
  auto by_status = asking("wine_recommender", {"wine"});
  by_status.scratch_page_query->filters.status = {status::pending_review};
  auto by_type = asking("wine_recommender", {"wine"});
  by_type.scratch_page_query->filters.type = {"reminder"};
  say("Recommend a wine", {by_status, by_type});

  BOOST_REQUIRE(asked.size() == 2u);
  BOOST_REQUIRE(asked[0].scratch_page_context.size() == 1u);
  BOOST_TEST(asked[0].scratch_page_context[0].content == "A corked bottle");
  BOOST_REQUIRE(asked[1].scratch_page_context.size() == 1u);
  BOOST_TEST(asked[1].scratch_page_context[0].content == "Buy a bottle");
}

BOOST_FIXTURE_TEST_CASE(
  a_tools_query_gives_the_10_newest_unless_it_says_otherwise, tool_team, *label("SP_tool_query")) {
  add_function("wine_recommender");
  start();
  for (int i = 1; i <= 12; ++i)
    add(as_daemon("memory"), draft("observation", "Bottle " + std::to_string(i), 0.5, {"wine"}));
  auto three = asking("wine_recommender", {"wine"});
  three.scratch_page_query->limit = 3;
  say("Recommend a wine", {asking("wine_recommender", {"wine"}), three, call("wine_recommender")});

  BOOST_REQUIRE(asked.size() == 3u);
  BOOST_REQUIRE(asked[0].scratch_page_context.size() == 10u);
  BOOST_TEST(asked[0].scratch_page_context.front().content == "Bottle 12");
  BOOST_TEST(asked[0].scratch_page_context.back().content == "Bottle 3");
  BOOST_TEST(asked[1].scratch_page_context.size() == 3u);
  BOOST_TEST(asked[2].scratch_page_context.empty()); // the call has no query
}

BOOST_FIXTURE_TEST_CASE(
  a_tools_answer_tells_what_its_query_found, tool_team, *label("SP_tool_query")) {
  add_function("wine_recommender");
  add_tool(manifest("wine_search"), {recorded_response{}});
  start();
  for (auto tool : {"wine_recommender", "wine_search"}) {
    auto x = request(tool, "req_001");
    x.scratch_page_context = {
      {"obs_20251105_123", "contextual_insight", "User prefers Burgundy wines", 0.9, now()}};
    auto answer = value(ask(host->tools(), x));
    BOOST_TEST_CONTEXT(tool) {
      BOOST_REQUIRE(answer.scratch_page_context.size() == 1u);
      BOOST_TEST(answer.scratch_page_context[0].id == "obs_20251105_123");
      BOOST_TEST(answer.scratch_page_context[0].content == "User prefers Burgundy wines");
    }
  }
}

// -- what tools declare ---------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_tool_adds_only_the_types_that_its_manifest_declares, tool_team, *label("SP_tool_manifest")) {
  const std::string reports = R"([
    {"type": "contextual_insight", "content": "Declared", "confidence": 0.6},
    {"type": "risk_alert", "content": "Not declared", "confidence": 0.6},
    {"type": "wine_note", "content": "Declared and configured", "confidence": 0.6}])";
  add_reporter("wine_search", {reports});
  setup.tools.back().manifest.observation_types = {"contextual_insight", "wine_note"};
  add_reporter("fraud_check", {reports});
  setup.config.page.types.push_back("wine_note");
  setup.config.page.tool_types.push_back("wine_note");
  start();

  auto known = value(ask(host->tools(), list_tools{as_daemon("probe")})).tools;
  auto declared = std::find_if(
    known.begin(), known.end(), [](const manifest_ptr& x) { return x->tool_id == "wine_search"; });
  BOOST_REQUIRE((declared != known.end()));
  BOOST_TEST((*declared)->observation_types == (texts{"contextual_insight", "wine_note"}),
    boost::test_tools::per_element());

  auto turn = use("wine_search");
  BOOST_TEST(
    contents_of(noticed_by("wine_search")) == (texts{"Declared", "Declared and configured"}),
    boost::test_tools::per_element());
  auto logged = entries("store_report", "forbidden");
  BOOST_REQUIRE(logged.size() == 1u);
  BOOST_TEST(logged.front().turn_id == turn.turn_id);
  BOOST_TEST(text_at(logged.front().detail, "error").find("risk_alert") != std::string::npos);
  BOOST_TEST(to_string(turn.status) == "complete");

  use("fraud_check"); // lists no types: may add any type open to tools
  BOOST_TEST(noticed_by("fraud_check").size() == 3u);
}

// -- what tools may do ----------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  a_tool_adds_and_queries_and_changes_only_what_is_its_own, tool_team, *label("SP_access_tools")) {
  start();
  auto tool = as_tool("wine_search");
  auto own = add(tool, draft("observation", "Mine", 0.5, {"wine"})).observation;
  auto daemons = add(as_daemon("router"), draft("observation", "The router's")).observation;
  auto other = add(as_tool("fraud_check"), draft("observation", "Another tool's")).observation;
  // A daemon with the tool's name is another source.
  auto namesake = add(as_daemon("wine_search"), draft("observation", "A namesake's")).observation;

  auto found = value(ask(host->page(), query_observations{.by = tool}));
  BOOST_TEST(found.total_count == 4u);
  auto one = value(ask(host->page(), get_observation{tool, daemons->observation_id}));
  BOOST_TEST(bool{one});

  for (const auto& x : {daemons, other, namesake}) {
    BOOST_TEST(failure_of(ask(host->page(), change_of(tool, x))) == "forbidden");
    auto archiving = ask(host->page(), archive_observation{tool, x->observation_id});
    BOOST_TEST(failure_of(archiving) == "forbidden");
    BOOST_REQUIRE(get(x->observation_id));
    BOOST_TEST(get(x->observation_id)->content == x->content);
    BOOST_TEST(get(x->observation_id)->revision == 1u);
  }
  BOOST_TEST(traced("update_observation", "forbidden") == 3u);
  BOOST_TEST(traced("archive_observation", "forbidden") == 3u);

  auto changed = value(ask(host->page(), change_of(tool, own))).observation;
  BOOST_TEST(changed->content == "Something else");
  auto archived = ask(host->page(), archive_observation{tool, own->observation_id});
  BOOST_TEST(failure_of(archived) == "none");
  BOOST_TEST(!get(own->observation_id));
}

BOOST_FIXTURE_TEST_CASE(
  a_tool_does_nothing_that_is_for_daemons_and_admins, tool_team, *label("SP_access_tools")) {
  start();
  auto tool = as_tool("wine_search");
  auto x = add(as_daemon("router"), draft("observation", "The router's")).observation;
  const auto& id = x->observation_id;
  auto resolving = change_of(as_daemon("router"), x);
  resolving.changes.status = status::resolved;
  value(ask(host->page(), resolving));

  BOOST_TEST(failure_of(ask(host->page(), clear_resolved{tool, {id}})) == "forbidden");
  BOOST_TEST(failure_of(ask(host->page(), register_type{tool, "gossip"})) == "forbidden");
  link_observations linking{tool, "goal_1", {id}};
  BOOST_TEST(failure_of(ask(host->page(), linking)) == "forbidden");
  subscribe listening{tool, subscriber_actor{host->facts()}, {}, {}, false};
  BOOST_TEST(failure_of(ask(host->page(), listening)) == "forbidden");
  create_goal making;
  making.by = tool;
  making.draft.goal_type = "take_over";
  BOOST_TEST(failure_of(ask(host->cortex(), making)) == "forbidden");
  BOOST_TEST(bool{get(id)});
  BOOST_TEST(!get(id)->linked_to_goal);
  BOOST_TEST(goals().empty());
}

BOOST_FIXTURE_TEST_CASE(a_tool_has_no_say_in_turns, tool_team, *label("SP_access_tools")) {
  start();
  auto turn = as_daemon("turns", "turn_1");
  BOOST_TEST(failure_of(ask(host->page(), open_turn{turn})) == "none");
  BOOST_TEST(failure_of(ask(host->page(), hold_turn{turn})) == "none");
  auto tool = as_tool("wine_search", "turn_1");
  // A tool with the name of a daemon.
  auto impostor = as_tool("turns", "turn_1");

  for (const auto& by : {tool, impostor}) {
    BOOST_TEST(failure_of(ask(host->page(), open_turn{by})) == "forbidden");
    BOOST_TEST(failure_of(ask(host->page(), hold_turn{by})) == "forbidden");
    BOOST_TEST(failure_of(ask(host->page(), release_turn{by})) == "forbidden");
    await_quiet waiting{by, quiet_stage::executed};
    BOOST_TEST(failure_of(ask(host->page(), waiting)) == "forbidden");
    BOOST_TEST(failure_of(ask(host->page(), close_turn{by})) == "forbidden");
    BOOST_TEST(failure_of(ask(host->page(), review_candidates{by})) == "forbidden");
    BOOST_TEST(failure_of(ask(host->page(), goal_closed{by, "goal_1"})) == "forbidden");
  }
  BOOST_TEST(failure_of(ask(host->page(), close_turn{turn})) == "none");
}

} // namespace scratchpage::test
