#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"

namespace scratchpage::test {

BOOST_AUTO_TEST_SUITE(promotion)

// -- above the threshold --------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  an_observation_of_high_confidence_becomes_a_pending_goal, cortex_team, *label("FC_1")) {
  start();
  auto x = note("User prefers Burgundy wines", 0.95, {"wine", "preference"});
  auto made = only_goal();
  BOOST_TEST(made.observation_id == x->observation_id);
  BOOST_TEST(made.observation_ids == texts{x->observation_id}, per_element());
  BOOST_TEST(to_string(made.status) == "pending");
  BOOST_TEST(made.progress == 0);
  BOOST_TEST((made.created_at == to_milliseconds(now())));
  BOOST_REQUIRE(made.evidence.size() == 1u);
  BOOST_TEST(made.evidence.front().observation_id == x->observation_id);
  BOOST_TEST(made.evidence.front().confidence == 0.95);
  BOOST_TEST(made.pending_actions.size() == 1u);
  BOOST_REQUIRE(store->kept.contains(made.goal_id));
  BOOST_TEST(store->kept.at(made.goal_id).observation_id == x->observation_id);

  auto there = still(x);
  BOOST_TEST(to_string(there->status) == "active");
  BOOST_TEST(there->linked_to_goal);
  BOOST_TEST(there->linked_goal_ids == texts{made.goal_id}, per_element());
  BOOST_TEST(tagged({"wine", "preference"}).total_count == 1u);

  auto traced = only_entry("create_goal", x);
  BOOST_TEST(traced.component == "frontal_cortex");
  BOOST_TEST(traced.status == "success");
  BOOST_TEST(text_at(traced.detail, "goal_id") == made.goal_id);
  BOOST_TEST(text_at(traced.detail, "note") == "Goal created from 1 observation");
  BOOST_TEST(traced.parent == only_entry("add_observation", x).id);
}

BOOST_FIXTURE_TEST_CASE(
  a_confidence_exactly_at_the_threshold_is_enough, cortex_team, *label("FC_1_e1")) {
  start();
  auto x = note("User prefers Burgundy wines", 0.9, {"wine", "preference"});
  BOOST_TEST(only_goal().observation_id == x->observation_id);
}

BOOST_FIXTURE_TEST_CASE(the_threshold_is_configured, cortex_team, *label("FC_1")) {
  setup.config.promotion.min_confidence = 0.5;
  start();
  auto x = note("User might like red wine", 0.6, {"wine"});
  note("User may like rosé", 0.4, {"wine"});
  BOOST_TEST(only_goal().observation_id == x->observation_id);
}

BOOST_FIXTURE_TEST_CASE(
  one_tag_in_common_makes_two_goals_and_two_tags_make_one, cortex_team, *label("FC_1_e2")) {
  start();
  auto taste = note("User prefers Burgundy wines", 0.95, {"wine", "preference"});
  auto store_room = note("The cellar is nearly empty", 0.95, {"wine", "cellar"});
  auto more_taste = note("User prefers light reds", 0.95, {"wine", "preference", "red"});
  auto made = goals();
  BOOST_REQUIRE(made.size() == 2u);
  BOOST_TEST(made[0].observation_ids == ids_of({taste, more_taste}), per_element());
  BOOST_TEST(made[1].observation_ids == ids_of({store_room}), per_element());
  BOOST_TEST(tagged({"wine"}).total_count == 3u);
}

BOOST_FIXTURE_TEST_CASE(
  observations_without_tags_make_goals_of_their_own, cortex_team, *label("FC_1_e3")) {
  start();
  auto one = note("User prefers Burgundy wines", 0.95, {});
  auto other = note("User travels to Paris in May", 0.95, {});
  auto made = goals();
  BOOST_REQUIRE(made.size() == 2u);
  BOOST_TEST(made[0].observation_id == one->observation_id);
  BOOST_TEST(made[1].observation_id == other->observation_id);
}

// -- below the threshold ----------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(
  an_observation_of_low_confidence_stays_as_it_is, cortex_team, *label("FC_2")) {
  start();
  auto x = note("User might like red wine", 0.6, {"wine"});
  BOOST_TEST(goals().empty());
  BOOST_TEST(store->kept.empty());
  auto found = tagged({"wine"});
  BOOST_TEST(ids_of(found.observations) == ids_of({x}), per_element());
  auto traced = only_entry("judge_promotion", x);
  BOOST_TEST(text_at(traced.detail, "decision") == "Observation below threshold");
  BOOST_TEST(traced.parent == only_entry("add_observation", x).id);

  say("Hello there");
  advance(std::chrono::hours{24});
  auto there = still(x);
  BOOST_TEST(to_string(there->status) == "active");
  BOOST_TEST(there->revision == 1u); // unchanged
  BOOST_TEST(!there->linked_to_goal);
  BOOST_TEST(there->linked_goal_ids.empty());
  BOOST_TEST(tagged({"wine"}).total_count == 1u);
  BOOST_TEST(goals().empty());

  note("User prefers Burgundy wines", 0.95, {"wine", "preference"});
  BOOST_TEST(goals().size() == 1u); // the team still works
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_that_becomes_certain_is_promoted_then, cortex_team, *label("FC_2")) {
  start();
  auto x = note("User might like red wine", 0.6, {"wine"});
  update_observation surer{as_daemon("probe"), x->observation_id, {}, {}};
  surer.changes.confidence = 0.95;
  value(ask(host->page(), std::move(surer)));
  BOOST_TEST(only_goal().observation_id == x->observation_id);
  BOOST_TEST(still(x)->linked_to_goal);
}

BOOST_FIXTURE_TEST_CASE(
  a_confidence_just_below_the_threshold_is_not_enough, cortex_team, *label("FC_2_e1")) {
  start();
  auto x = note("User might like red wine", 0.89, {"wine"});
  BOOST_TEST(goals().empty());
  BOOST_TEST(about("judge_promotion", x).size() == 1u);
  BOOST_TEST(to_string(still(x)->status) == "active");
}

BOOST_FIXTURE_TEST_CASE(
  many_observations_of_low_confidence_do_not_add_up, cortex_team, *label("FC_2_e2")) {
  start();
  std::vector<observation_ptr> all;
  for (auto content : {"red", "white", "rosé", "sparkling", "sweet"})
    all.push_back(note(content, 0.7, {"wine", "preference"}, "find_wine"));
  say("Hello there");
  BOOST_TEST(goals().empty());
  BOOST_TEST(tagged({"wine"}).total_count == 5u);
  for (const auto& x : all) {
    BOOST_TEST(about("judge_promotion", x).size() == 1u);
    BOOST_TEST(to_string(still(x)->status) == "active");
    BOOST_TEST(!still(x)->linked_to_goal);
  }
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_of_no_confidence_is_kept_like_any_other, cortex_team, *label("FC_2_e3")) {
  start();
  auto x = note("User might hate wine", 0, {"wine"});
  BOOST_TEST(x->confidence == 0);
  BOOST_TEST(goals().empty());
  BOOST_TEST(about("judge_promotion", x).size() == 1u);
  BOOST_TEST(ids_of(tagged({"wine"}).observations) == ids_of({x}), per_element());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
