#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

namespace scratchpage::test {

namespace {

constexpr const char* goal_id = "find_wine";

observation_draft found(std::string content, double confidence) {
  return in_context(draft("observation", std::move(content), confidence, {"wine", "options"}),
    {{"goal_id", goal_id}});
}

/// A team with a tool that reports something in every turn.
struct searching_team : cortex_team {
  void report(std::vector<std::vector<observation_draft>> turns) {
    std::vector<recorded_response> responses;
    for (const auto& drafts : turns)
      responses.push_back(reporting(drafts));
    add_tool({.tool_id = "wine_search"}, std::move(responses));
  }

  double progress() { return goal_of(goal_id).progress; }

  observation_ptr saying(const std::string& content) {
    for (const auto& x : about_goal(goal_id).observations)
      if (x->content == content)
        return x;
    BOOST_FAIL("nobody says " + content);
    return {};
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(progress)

BOOST_FIXTURE_TEST_CASE(each_turns_observations_move_their_goal, searching_team, *label("FC_5")) {
  report({{found("Found 3 Burgundy options", 0.95)}, {found("User confirmed preference", 0.9)}});
  start();
  BOOST_TEST(to_string(make_goal(goal_id).status) == "pending");
  BOOST_TEST(progress() == 0);

  auto first = use("wine_search");
  auto after_first = progress();
  BOOST_TEST(after_first > 0);
  BOOST_TEST(to_string(goal_of(goal_id).status) == "in_progress");
  BOOST_REQUIRE(first.goals.size() == 1u);
  BOOST_TEST(first.goals.front().progress == after_first);

  auto second = use("wine_search");
  BOOST_TEST(progress() > after_first);
  BOOST_TEST(progress() < 1);
  auto options = saying("Found 3 Burgundy options");
  auto confirmed = saying("User confirmed preference");
  auto now_is = goal_of(goal_id);
  BOOST_TEST(now_is.observation_ids == ids_of({options, confirmed}), per_element());
  BOOST_TEST(store->kept.at(goal_id).progress == now_is.progress);
  for (const auto& x : {options, confirmed}) {
    BOOST_TEST(to_string(still(x)->status) == "active");
    BOOST_TEST(still(x)->linked_goal_ids == texts{goal_id}, per_element());
  }

  auto moves = entries("goal_progress");
  BOOST_REQUIRE(moves.size() == 2u);
  BOOST_TEST(moves[0].turn_id == first.turn_id);
  BOOST_TEST(text_at(moves[0].detail, "observation_id") == options->observation_id);
  BOOST_TEST(moves[0].detail.at("from").to_number<double>() == 0);
  BOOST_TEST(moves[0].detail.at("to").to_number<double>() == after_first);
  BOOST_TEST(moves[1].turn_id == second.turn_id);
  BOOST_TEST(moves[1].detail.at("to").to_number<double>() == now_is.progress);
}

BOOST_FIXTURE_TEST_CASE(
  contradictions_never_take_progress_away, searching_team, *label("FC_5_e1")) {
  report(
    {{found("Found 3 Burgundy options", 0.95)}, {found("Found no Burgundy options", 0.9)}, {}});
  start();
  make_goal(goal_id);
  use("wine_search");
  auto after_first = progress();
  use("wine_search");
  auto after_second = progress();
  BOOST_TEST(after_second >= after_first);
  BOOST_TEST(to_string(goal_of(goal_id).status) == "in_progress");
  BOOST_TEST(goal_of(goal_id).observation_ids.size() == 2u);
  BOOST_TEST(about_goal(goal_id).conflicts.size() == 1u);
  BOOST_TEST(traced("conflict") > 0u);

  update_observation doubt{
    as_daemon("probe"), saying("Found 3 Burgundy options")->observation_id, {}, {}};
  doubt.changes.confidence = 0.1;
  value(ask(host->page(), std::move(doubt)));
  use("wine_search");
  BOOST_TEST(progress() == after_second);
}

BOOST_FIXTURE_TEST_CASE(progress_never_passes_the_whole, searching_team, *label("FC_5_e2")) {
  std::vector<observation_draft> many;
  for (int i = 0; i < 60; ++i)
    many.push_back(found("Found bottle " + std::to_string(i), 1));
  report({many, {found("Found one more bottle", 1)}});
  start();
  make_goal(goal_id, {{.action_id = "choose", .action_type = "choose_wine"}});
  use("wine_search");
  BOOST_TEST(goal_of(goal_id).observation_ids.size() == 60u);
  BOOST_TEST(progress() > 0.8);
  BOOST_TEST(progress() <= 1);
  BOOST_TEST(to_string(goal_of(goal_id).status) == "in_progress");
  double before = 0;
  for (const auto& one : entries("goal_progress")) {
    auto to = one.detail.at("to").to_number<double>();
    BOOST_TEST(to >= before);
    BOOST_TEST(to <= 1);
    before = to;
  }
  BOOST_TEST(before > 0);

  update_goal beyond;
  beyond.by = as_daemon("planner");
  beyond.goal_id = goal_id;
  beyond.progress = 1.5;
  auto refused = ask(host->cortex(), beyond);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(to_string(code_of(refused.error())) == "invalid_request");
  BOOST_TEST(field_of(refused.error()) == "progress");

  value(ask(host->cortex(), complete_action{as_daemon("planner"), goal_id, "choose"}));
  BOOST_TEST(progress() == 1);
  BOOST_TEST(to_string(goal_of(goal_id).status) == "completed");
  use("wine_search");
  BOOST_TEST(progress() == 1);
}

BOOST_FIXTURE_TEST_CASE(
  observations_of_parallel_turns_count_once_each, searching_team, *label("FC_5_e3")) {
  add_tool({.tool_id = "cellar"}, {reporting({found("In the cellar: 3", 1), found("Age: 5", 1)})});
  add_tool({.tool_id = "market"}, {reporting({found("On sale: 2", 1), found("Price: $40", 1)})});
  start();
  make_goal(goal_id);
  auto begin = [this](std::string tool) {
    begin_turn request;
    request.thread_id = "main";
    request.input = "Go ahead";
    request.plan = {call(std::move(tool))};
    request.mode = turn_mode::parallel;
    return send(host->turns(), std::move(request));
  };
  auto one = begin("cellar");
  auto other = begin("market");
  while (!(one->arrived() && other->arrived()) && driver.advance_to_next_deadline()) {
  }
  auto first = value(*one->value);
  auto second = value(*other->value);
  auto moved = goal_of(goal_id);
  auto all = about_goal(goal_id).observations;
  std::erase_if(all, [](const observation_ptr& x) { return x->type != "observation"; });
  BOOST_TEST(all.size() == 4u);
  BOOST_TEST(in_order(moved.observation_ids) == in_order(ids_of(all)), per_element());
  BOOST_TEST(moved.evidence.size() == 4u);
  BOOST_TEST(entries("goal_progress").size() == 4u);
  for (const auto& x : all) {
    auto traced = only_entry("goal_progress", x);
    BOOST_TEST(traced.turn_id == x->source.turn_id);
    BOOST_TEST((traced.turn_id == first.turn_id || traced.turn_id == second.turn_id));
  }
  const auto& step = setup.config.goal_progress;
  auto left = 1 - step.observation_step;
  BOOST_TEST(moved.progress == step.open_limit * (1 - left * left * left * left),
    boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(a_tool_changes_no_goal_and_completes_no_action, cortex_team) {
  start();
  create_goal request;
  request.by = as_daemon("planner");
  request.draft.goal_id = goal_id;
  request.draft.goal_type = "wine";
  request.draft.pending_actions = {{.action_id = "choose", .action_type = "choose"}};
  value(ask(host->cortex(), request));
  auto tool = as_tool("wine_search");
  update_goal change;
  change.by = tool;
  change.goal_id = goal_id;
  change.status = goal_status::abandoned;

  auto changed = ask(host->cortex(), change);
  auto completed = ask(host->cortex(), complete_action{tool, goal_id, "choose"});
  auto settled = ask(host->cortex(), settle_goals{tool, {}});

  BOOST_REQUIRE((!changed && !completed && !settled));
  BOOST_TEST(to_string(code_of(changed.error())) == "forbidden");
  BOOST_TEST(to_string(code_of(completed.error())) == "forbidden");
  BOOST_TEST(to_string(code_of(settled.error())) == "forbidden");
  BOOST_TEST(to_string(goal_of(goal_id).status) == "pending");
  BOOST_TEST(traced("complete_action", "forbidden") == 1u);
}

} // namespace scratchpage::test
