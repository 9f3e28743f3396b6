#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"
#include "scratchpage/tests/scenarios/cortex/slow_consciousness.hpp"

namespace scratchpage::test {

using namespace std::chrono_literals;

namespace {

observation_draft lasting(observation_draft x, double minutes) {
  x.ttl_minutes = minutes;
  return x;
}

} // namespace

BOOST_AUTO_TEST_SUITE(expiry)

BOOST_FIXTURE_TEST_CASE(
  an_observation_leaves_the_page_at_the_end_of_its_life, cortex_team, *label("FC_4")) {
  store->fails = true; // so that it has no goal yet when it expires
  start();
  auto x = note(lasting(insight("User prefers Burgundy wines", 0.95, {"wine", "preference"}), 1));
  BOOST_TEST((x->expires_at == x->created_at + 1min));
  advance(59999ms);
  BOOST_TEST(tagged({"wine"}).total_count == 1u);
  BOOST_TEST(still(x)->content == x->content);

  advance(1ms);
  BOOST_TEST(!get(x)); // not served at the instant of `expires_at`
  advance(1s);
  BOOST_TEST(tagged({"wine"}).total_count == 0u);
  BOOST_TEST(tagged({"wine"}).observations.empty());
  BOOST_TEST(!get(x));
  BOOST_TEST(to_string(archived_as(x)) == "expired");
  auto traced = only_entry("expire", x);
  BOOST_TEST((traced.at == x->expires_at));
  BOOST_TEST(text_at(traced.detail, "event") == "expired");

  store->fails = false;
  say("Hello there"); // the Router asks for observations without a goal
  BOOST_TEST(goals().empty());
  BOOST_TEST(store->kept.empty());
  note("User likes fish", 0.95, {"food"});
  BOOST_TEST(goals().size() == 1u); // the team still works
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_that_ends_while_its_goal_is_made_makes_none, deliberation, *label("FC_4_e1")) {
  auto x = note_all({lasting(insight("User prefers Burgundy wines", 0.95, {"wine"}), 0.05)})[0];
  BOOST_REQUIRE(get(x));
  advance(10s);
  BOOST_TEST(!get(x));
  BOOST_TEST(goals().empty());
  BOOST_TEST(entries_about(*trace, "expire", x).size() == 1u);
  auto traced = entries_of(*trace, "create_goal");
  BOOST_REQUIRE(traced.size() == 1u);
  BOOST_TEST(traced[0].status == "not_found");
}

BOOST_FIXTURE_TEST_CASE(
  what_is_left_while_a_goal_is_made_makes_it_alone, deliberation, *label("FC_4_e1")) {
  auto both =
    note_all({lasting(insight("User prefers Burgundy wines", 0.95, {}, "find_wine"), 0.05),
      insight("User likes fish", 0.95, {}, "find_wine")});
  advance(10s);
  auto made = goals();
  BOOST_REQUIRE(made.size() == 1u);
  BOOST_TEST(made[0].observation_ids == ids_of({both[1]}), per_element());
  BOOST_TEST(made[0].observation_id == both[1]->observation_id);
  BOOST_TEST(contents_in_context(made[0]) == contents_of({both[1]}), per_element());
  BOOST_TEST(get(both[1])->linked_to_goal);
}

BOOST_FIXTURE_TEST_CASE(
  a_constraint_that_ends_meanwhile_does_not_count, deliberation, *label("FC_4_e1")) {
  auto both = note_all({lasting(insight("At most $50", 0.95, {"constraint"}), 0.05),
    insight("At most 1 hour", 0.95, {"constraint"})});
  advance(10s);
  BOOST_TEST(goals().empty());
  BOOST_TEST(!get(both[1])->linked_to_goal);
  auto third = note_all({insight("At most 13 %", 0.95, {"constraint"})})[0];
  advance(10s);
  auto made = goals();
  BOOST_REQUIRE(made.size() == 1u);
  BOOST_TEST(made[0].observation_ids == ids_of({both[1], third}), per_element());
  BOOST_TEST(get(both[1])->linked_goal_ids == texts{made[0].goal_id}, per_element());
}

BOOST_FIXTURE_TEST_CASE(observations_end_each_in_its_own_time, cortex_team, *label("FC_4_e2")) {
  start();
  std::vector<observation_ptr> all;
  for (auto minutes : {3.0, 1.0, 2.0})
    all.push_back(note(lasting(insight("x", 0.5, {"wine"}), minutes)));
  auto three = all[0], one = all[1], two = all[2];
  advance(61s);
  BOOST_TEST(ids_of(tagged({"wine"}).observations) == ids_of({two, three}), per_element());
  advance(60s);
  BOOST_TEST(ids_of(tagged({"wine"}).observations) == ids_of({three}), per_element());
  advance(60s);
  BOOST_TEST(tagged({"wine"}).total_count == 0u);
  for (const auto& x : all) {
    BOOST_TEST((only_entry("expire", x).at == x->expires_at));
    BOOST_TEST(to_string(archived_as(x)) == "expired");
  }
}

BOOST_FIXTURE_TEST_CASE(
  an_observation_without_a_life_ends_at_once, cortex_team, *label("FC_4_e3")) {
  start();
  auto x = note(lasting(insight("User prefers Burgundy wines", 0.95, {"wine"}), 0));
  BOOST_TEST(!get(x));
  BOOST_TEST(tagged({"wine"}).total_count == 0u);
  BOOST_TEST(goals().empty());
  advance(1ms);
  BOOST_TEST(to_string(archived_as(x)) == "expired");
  BOOST_TEST(about("expire", x).size() == 1u);
  say("Hello there");
  BOOST_TEST(goals().empty());
  BOOST_TEST(store->kept.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
