#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/limits.hpp"
#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

namespace scratchpage::test {

namespace {

constexpr const char* goal_id = "find_wine_recommendation";

observation_draft taste() {
  return insight("User prefers Burgundy wines", 0.95, {"wine", "preference"}, goal_id);
}

observation_draft budget() {
  return insight("User mentioned budget of $50", 0.9, {"budget", "constraint"}, goal_id);
}

} // namespace

BOOST_AUTO_TEST_SUITE(grouping)

BOOST_FIXTURE_TEST_CASE(
  two_observations_about_one_goal_make_one_goal, cortex_team, *label("FC_3")) {
  start();
  auto both = note_all({taste(), budget()});
  auto made = only_goal();
  BOOST_TEST(made.goal_id == goal_id);
  BOOST_TEST(made.observation_ids == ids_of(both), per_element());
  BOOST_TEST(made.observation_id == both[0]->observation_id);
  BOOST_TEST(contents_in_context(made) == contents_of(both), per_element());
  BOOST_TEST(made.evidence.size() == 2u);
  BOOST_TEST(to_string(made.status) == "pending");
  BOOST_TEST(store->kept.at(goal_id).observation_ids.size() == 2u);

  auto traced = only_entry("create_goal");
  BOOST_TEST(text_at(traced.detail, "note") == "Goal created from 2 observations");
  BOOST_TEST(traced.detail.at("observations").to_number<int>() == 2);
  for (const auto& x : both) {
    BOOST_TEST(about("create_goal", x).size() == 1u);
    BOOST_TEST(about("link_observation", x).size() == 1u);
    auto there = still(x);
    BOOST_TEST(there->linked_to_goal);
    BOOST_TEST(there->linked_goal_ids == texts{goal_id}, per_element());
    BOOST_TEST(to_string(there->status) == "active");
  }
}

BOOST_FIXTURE_TEST_CASE(
  five_observations_about_one_goal_make_one_goal, cortex_team, *label("FC_3_e1")) {
  start();
  auto all = note_all({taste(), budget(), insight("Dinner is at eight", 0.95, {"time"}, goal_id),
    insight("There will be fish", 0.92, {"food"}, goal_id),
    insight("Six guests are coming", 0.99, {}, goal_id)});
  auto made = only_goal();
  BOOST_TEST(made.observation_ids == ids_of(all), per_element());
  BOOST_TEST(contents_in_context(made) == contents_of(all), per_element());
  BOOST_TEST(
    text_at(only_entry("create_goal").detail, "note") == "Goal created from 5 observations");
  for (const auto& x : all)
    BOOST_TEST(still(x)->linked_goal_ids == texts{goal_id}, per_element());
}

BOOST_FIXTURE_TEST_CASE(
  observations_that_contradict_each_other_share_a_goal, cortex_team, *label("FC_3_e2")) {
  start();
  auto both = note_all({taste(),
    insight("User does not prefer Burgundy wines", 0.92, {"wine", "preference"}, goal_id)});
  auto made = only_goal();
  BOOST_TEST(made.observation_ids == ids_of(both), per_element());
  BOOST_TEST(contents_in_context(made) == contents_of(both), per_element());
  auto found = about_goal(goal_id);
  BOOST_TEST(found.total_count == 2u);
  BOOST_REQUIRE(found.conflicts.size() == 1u);
  BOOST_TEST(
    in_order(found.conflicts.front().observation_ids) == in_order(ids_of(both)), per_element());
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_that_comes_later_joins_the_goal, cortex_team, *label("FC_3_e3")) {
  start();
  auto first = note(taste());
  advance(std::chrono::hours{2});
  auto second = note(budget());
  auto made = only_goal();
  BOOST_TEST(made.observation_ids == ids_of({first, second}), per_element());
  BOOST_TEST(contents_in_context(made) == contents_of({first, second}), per_element());
  BOOST_TEST((made.created_at == first->created_at));
  BOOST_TEST(
    text_at(only_entry("create_goal").detail, "note") == "Goal created from 1 observation");
  BOOST_TEST(
    text_at(only_entry("extend_goal", second).detail, "note") == "Goal now has 2 observations");
  BOOST_TEST(still(second)->linked_goal_ids == texts{goal_id}, per_element());
}

BOOST_FIXTURE_TEST_CASE(a_constraint_waits_for_what_belongs_to_it, cortex_team, *label("FC_3_e3")) {
  start();
  auto first = note(budget());
  BOOST_TEST(goals().empty());
  BOOST_TEST(only_entry("wait_for_more").detail.at("needed").to_number<int>() == 2);
  advance(std::chrono::hours{2});
  auto second = note(taste());
  BOOST_TEST(only_goal().observation_ids == ids_of({first, second}), per_element());
  BOOST_TEST(
    text_at(only_entry("create_goal").detail, "note") == "Goal created from 2 observations");
  BOOST_TEST(still(first)->linked_to_goal);
  BOOST_TEST(still(second)->linked_to_goal);
}

BOOST_FIXTURE_TEST_CASE(
  a_constraint_that_is_revised_is_still_only_one, cortex_team, *label("FC_3")) {
  start();
  auto first = note(budget());
  update_observation surer{as_daemon("probe"), first->observation_id, {}, {}};
  surer.changes.content = "User mentioned budget of $60";
  value(ask(host->page(), std::move(surer)));
  BOOST_TEST(goals().empty());
  auto second = note(insight("User has one hour", 0.95, {"time", "constraint"}));
  auto made = only_goal();
  BOOST_TEST(made.observation_ids == ids_of({first, second}), per_element());
  BOOST_TEST(made.evidence.front().content == "User mentioned budget of $60");
}

BOOST_FIXTURE_TEST_CASE(what_a_goal_has_no_room_for_is_not_linked_to_it, cortex_team) {
  setup.config.durability.max_batch = 4'096;
  start();
  make_goal(goal_id);
  auto most = goal_limits::observations;
  std::vector<observation_draft> many;
  for (size_t i = 0; i < most + 50; ++i)
    many.push_back(
      in_context(draft("observation", "Bottle " + std::to_string(i), 0.1), {{"goal_id", goal_id}}));
  auto noted = note_all(std::move(many));
  auto late = note(in_context(draft("observation", "The last", 0.1), {{"goal_id", goal_id}}));
  BOOST_TEST(goal_of(goal_id).observation_ids.size() == most);
  auto linked = std::count_if(noted.begin(), noted.end(),
    [this](const observation_ptr& x) { return still(x)->linked_to_goal; });
  BOOST_TEST(static_cast<size_t>(linked) == most);
  BOOST_TEST(!still(late)->linked_to_goal);
  BOOST_TEST(traced("join_goal", "overloaded") > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
