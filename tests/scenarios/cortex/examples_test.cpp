#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

/// The worked examples of goals. The page offers certain observations to the Frontal Cortex at once
/// (contract 8), so a goal exists one turn earlier than in the examples, where the Router asks for
/// it.

namespace scratchpage::test {

using namespace std::chrono_literals;

namespace {

constexpr const char* wine_profile = R"({"promotion": {"rules": [{
  "id": "wine_profile", "types": ["contextual_insight"], "tags_all": ["wine"],
  "title": "Build wine recommendation profile", "description": "Based on: {content}",
  "priority": "high",
  "actions": [{"action_type": "research_wines", "description": "Research more Burgundy wines"}]
}]}})";

constexpr const char* wine_constraints = R"({"promotion": {"rules": [{
  "id": "wine_constraints", "types": ["contextual_insight"], "tags_all": ["constraint"],
  "grouping_key": "rule", "min_observations": 2,
  "title": "Find wine within budget and time constraints", "description": "{contents}",
  "actions": [{"action_type": "search_wines", "description": "Search wines under $50"}]
}]}})";

bool says(const assembled_context& context, std::string_view text) {
  return context.text.find(text) != std::string::npos;
}

/// A team with two tools. Each reports one constraint.
struct constrained_team : cortex_team {
  constrained_team() {
    add_tool({.tool_id = "budget_reader"},
      {reporting(
        {insight("User mentioned budget constraint: $50", 0.95, {"budget", "constraint"})})});
    add_tool({.tool_id = "time_reader"},
      {reporting(
        {insight("User mentioned time constraint: 1 hour", 0.95, {"time", "constraint"})})});
  }

  observation_ptr noted_by(std::string tool) {
    observation_filter filter;
    filter.source = {std::move(tool)};
    filter.type = {"contextual_insight"};
    auto found = query(std::move(filter)).observations;
    BOOST_REQUIRE(found.size() == 1u);
    return found.front();
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(examples)

BOOST_FIXTURE_TEST_CASE(an_observation_becomes_durable_knowledge, cortex_team, *label("FC_x1")) {
  setup.config = value(load_config(wine_profile));
  auto response =
    reporting({insight("User interested in Burgundy wines", 0.95, {"wine", "user_interest"})});
  response.outputs["found"] = "2020 Marcel La Pierre - Burgundy";
  add_tool({.tool_id = "wine_search"}, {response});
  start();

  auto first = say("What wine should I get for dinner?", {call("wine_search")});
  BOOST_TEST(to_string(first.status) == "complete");
  auto x = only("contextual_insight");
  BOOST_TEST(x->content == "User interested in Burgundy wines");
  BOOST_TEST(to_string(x->source.kind) == "tool");
  BOOST_TEST(x->source.name == "wine_search");
  BOOST_TEST(x->source.turn_id == first.turn_id);

  auto second = say("And what goes with fish?");
  BOOST_TEST(to_string(second.status) == "more_work");
  auto reviews = entries("review_candidates");
  BOOST_REQUIRE(reviews.size() == 2u);
  BOOST_TEST(reviews[1].turn_id == second.turn_id);
  auto made = only_goal();
  BOOST_TEST(made.title == "Build wine recommendation profile");
  BOOST_TEST(made.observation_id == x->observation_id);
  BOOST_REQUIRE(made.pending_actions.size() == 1u);
  BOOST_TEST(made.pending_actions.front().description == "Research more Burgundy wines");
  BOOST_TEST(to_string(made.pending_actions.front().assigned_to) == "agent");
  BOOST_TEST(to_string(made.pending_actions.front().status) == "pending");
  auto promoted = only_entry("create_goal", x);
  BOOST_TEST(text_at(promoted.detail, "note") == "Goal created from 1 observation");
  BOOST_TEST(promoted.parent == only_entry("add_observation", x).id);
  BOOST_TEST(still(x)->linked_goal_ids == texts{made.goal_id}, per_element());

  say("I need a present for Bob");
  auto context = context_for("Which wine shall I give to Bob?", 2000);
  BOOST_TEST(says(context, "Build wine recommendation profile"));
  BOOST_TEST(says(context, "Research more Burgundy wines"));
  BOOST_TEST(says(context, "User interested in Burgundy wines"));
  BOOST_TEST(only_goal().goal_id == made.goal_id);
}

BOOST_FIXTURE_TEST_CASE(a_metric_stays_on_the_page_until_it_ends, cortex_team, *label("FC_x2")) {
  auto metric = insight("API response time was 2.3 seconds", 0.99, {"performance", "metric"});
  metric.ttl_minutes = 1440;
  add_tool({.tool_id = "wine_search"}, {reporting({metric})});
  start();
  use("wine_search");
  auto x = only("contextual_insight");
  BOOST_TEST(
    text_at(only_entry("judge_promotion", x).detail, "decision") == "Observation kept in scratch");

  auto second = say("And what goes with fish?");
  auto reviews = entries("review_candidates");
  BOOST_REQUIRE(reviews.size() == 2u);
  BOOST_TEST(reviews[1].turn_id == second.turn_id);
  BOOST_TEST(reviews[1].detail.at("candidates").to_number<int>() == 0);
  BOOST_TEST(goals().empty());
  BOOST_TEST(to_string(still(x)->status) == "active");
  BOOST_TEST(!still(x)->linked_to_goal);

  advance(x->created_at + 24h - 1ms - now());
  still(x);
  advance(1ms);
  BOOST_TEST(!get(x));
  BOOST_TEST(to_string(archived_as(x)) == "expired");
  BOOST_TEST(about("expire", x).size() == 1u);
  BOOST_TEST(goals().empty());
}

BOOST_FIXTURE_TEST_CASE(two_constraints_form_one_goal, constrained_team, *label("FC_x3")) {
  setup.config = value(load_config(wine_constraints));
  start();
  auto first = say("It may cost $50", {call("budget_reader")});
  BOOST_TEST(goals().empty());
  BOOST_TEST(first.goals.empty());
  auto budget = noted_by("budget_reader");
  BOOST_TEST(!budget->linked_to_goal);

  say("And I have one hour", {call("time_reader")});
  auto time = noted_by("time_reader");
  auto third = say("So what shall we have?");
  BOOST_TEST(to_string(third.status) == "more_work");
  auto made = only_goal();
  BOOST_TEST(made.title == "Find wine within budget and time constraints");
  BOOST_TEST(made.observation_ids == ids_of({budget, time}), per_element());
  BOOST_REQUIRE(made.pending_actions.size() == 1u);
  BOOST_TEST(made.pending_actions.front().description == "Search wines under $50");
  BOOST_TEST(
    text_at(only_entry("create_goal").detail, "note") == "Goal created from 2 observations");
  for (const auto& x : {budget, time}) {
    BOOST_TEST(still(x)->linked_goal_ids == texts{made.goal_id}, per_element());
    BOOST_TEST(about("create_goal", x).size() == 1u);
  }
  BOOST_TEST(says(context_for("Find a wine", 2000), made.title));
}

BOOST_FIXTURE_TEST_CASE(
  the_built_in_rules_combine_constraints_too, constrained_team, *label("FC_x3")) {
  start();
  use("budget_reader");
  BOOST_TEST(goals().empty());
  use("time_reader");
  auto made = only_goal();
  BOOST_TEST(made.observation_ids == ids_of({noted_by("budget_reader"), noted_by("time_reader")}),
    per_element());
  BOOST_TEST(made.title
             == "Meet 2 constraints: User mentioned budget constraint: $50; User mentioned time "
                "constraint: 1 hour");
  BOOST_TEST(to_string(made.priority) == "high");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
