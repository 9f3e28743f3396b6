#include <string>
#include <string_view>
#include <tuple>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/tests/scenarios/cortex/cortex_team.hpp"
#include "scratchpage/tests/support/callers.hpp"

/// The limits on how many goals the programs outside the process may have open.

namespace scratchpage::test {

namespace {

const caller gauge = from_outside(as_tool("gauge"));
const caller scale = from_outside(as_tool("scale"));
const caller assistant = from_outside(as_daemon("assistant"));
const caller ann = from_outside(as_user("ann"));

struct shared_goals : cortex_team {
  int last = 0;

  shared_goals() { setup.config.frontal_cortex.max_goals_per_source = 3; }

  /// Adds an observation that gets a goal of its own.
  observation_ptr remind(const caller& by) {
    return add(by, draft("reminder", "Reminder " + std::to_string(++last), 0.95)).observation;
  }

  /// As `remind`, with a content of a thousand bytes.
  observation_ptr remind_at_length(const caller& by, const std::string& goal_id = {}) {
    auto text = std::to_string(++last) + std::string(1'000, 'x');
    auto wanted = draft("reminder", std::move(text), 0.95);
    if (!goal_id.empty())
      wanted.context["goal_id"] = goal_id;
    return add(by, std::move(wanted)).observation;
  }

  void remind(const caller& by, int times) {
    for (auto i = 0; i < times; ++i)
      remind(by);
  }

  bool has_goal(const observation_ptr& x) { return still(x)->linked_to_goal; }

  auto ask_for_goal(const caller& by) {
    goal wanted;
    wanted.goal_type = "dinner";
    return ask(host->cortex(), create_goal{by, std::move(wanted)});
  }

  auto set_status(const caller& by, const std::string& goal_id, goal_status x) {
    update_goal request{by, goal_id, x, {}, {}, {}, {}, {}};
    return ask(host->cortex(), std::move(request));
  }

  bool is_refused(const caf::error& err, std::string_view field) {
    return code_of(err) == errc::overloaded && field_of(err) == field;
  }

  /// Runs a turn, and gives how many candidates for goals it reviewed.
  int reviewed() {
    say("Anything else?");
    return entries("review_candidates").back().detail.at("candidates").to_number<int>();
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(goal_shares, shared_goals)

BOOST_AUTO_TEST_CASE(a_program_from_outside_has_only_so_many_open_goals) {
  start();
  remind(gauge, 5);
  BOOST_TEST(goals().size() == 3u);
  BOOST_TEST(traced("create_goal", "overloaded") == 2u);
  BOOST_TEST(reviewed() == 0);
  BOOST_TEST(has_goal(remind(scale)));
  BOOST_TEST(has_goal(remind(ann)));
}

BOOST_AUTO_TEST_CASE(candidates_that_come_together_make_no_more_goals) {
  setup.config.durability.max_batch = 4'096;
  start();
  add_observations request{gauge, {}};
  for (auto i = 0; i < 50; ++i)
    request.drafts.push_back(draft("reminder", "Reminder " + std::to_string(i), 0.95));
  value(ask(host->page(), std::move(request)));
  BOOST_TEST(goals().size() == 3u);
  BOOST_TEST(traced("link_observation", "success") == 3u);
}

BOOST_AUTO_TEST_CASE(a_goal_that_has_ended_makes_room_for_another) {
  start();
  remind(gauge, 4);
  value(set_status(ann, goals().front().goal_id, goal_status::abandoned));
  BOOST_TEST(has_goal(remind(gauge)));
  BOOST_TEST(!has_goal(remind(gauge)));
}

BOOST_AUTO_TEST_CASE(programs_whose_names_nobody_has_checked_count_as_one) {
  start();
  for (auto name : {"a", "b", "c", "d", "e"})
    remind(claimed(as_tool(name)));
  BOOST_TEST(goals().size() == 3u);
}

BOOST_AUTO_TEST_CASE(persons_and_the_program_that_embeds_the_ensemble_have_no_share) {
  start();
  remind(ann, 5);
  remind(as_daemon("planner"), 5);
  BOOST_TEST(goals().size() == 10u);
}

BOOST_AUTO_TEST_CASE(goals_that_an_agent_asks_for_count_as_those_of_its_observations) {
  start();
  remind(assistant, 2);
  value(ask_for_goal(assistant));
  auto refused = ask_for_goal(assistant);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(is_refused(refused.error(), "max_goals_per_source"));
  BOOST_TEST(!has_goal(remind(assistant)));
  value(ask_for_goal(ann));
}

BOOST_AUTO_TEST_CASE(a_goal_that_an_agent_opens_again_counts_for_it) {
  start();
  auto first = value(ask_for_goal(assistant)).goal_id;
  value(set_status(assistant, first, goal_status::abandoned));
  remind(assistant, 3);
  auto refused = set_status(assistant, first, goal_status::in_progress);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(is_refused(refused.error(), "max_goals_per_source"));
  value(set_status(ann, first, goal_status::in_progress));
}

BOOST_AUTO_TEST_CASE(what_a_turn_leads_to_counts_for_who_began_it) {
  setup.config.frontal_cortex.max_goals_per_source = 1;
  add_tool({.tool_id = "diary"}, {reporting({draft("reminder", "Water the plants", 0.95)}),
                                   reporting({draft("reminder", "Call Bob", 0.95)}),
                                   reporting({draft("reminder", "Feed the cat", 0.95)})});
  start();
  begin_turn relayed;
  relayed.by = assistant;
  relayed.user_id = "ann";
  relayed.input = "Go ahead";
  relayed.plan = {call("diary")};
  run(relayed);
  run(relayed);
  BOOST_TEST(goals().size() == 1u);
  use("diary");
  BOOST_TEST(goals().size() == 2u);
}

BOOST_AUTO_TEST_CASE(programs_give_way_to_persons_when_there_are_as_many_goals_as_there_may_be) {
  setup.config.frontal_cortex.max_goals = 4;
  start();
  remind(gauge, 2);
  auto latest = remind(gauge);
  auto of_scale = remind(scale);
  auto id = still(latest)->linked_goal_ids.front();
  auto wanted = remind(ann);
  BOOST_TEST(goals().size() == 4u);
  BOOST_TEST(has_goal(wanted));
  BOOST_TEST(has_goal(of_scale));
  BOOST_TEST(traced("give_way", "success") == 1u);
  BOOST_TEST(to_string(store->kept.at(id).status) == "abandoned");
  value(ask_for_goal(as_daemon("planner")));
  BOOST_TEST(traced("give_way", "success") == 2u);
}

BOOST_AUTO_TEST_CASE(programs_find_no_room_when_there_are_as_many_goals_as_there_may_be) {
  setup.config.frontal_cortex.max_goals = 4;
  start();
  remind(ann, 4);
  BOOST_TEST(!has_goal(remind(gauge)));
  BOOST_TEST(reviewed() == 0);
  auto one_more = remind(ann);
  BOOST_TEST(!has_goal(one_more));
  value(set_status(ann, goals().front().goal_id, goal_status::abandoned));
  BOOST_TEST(reviewed() == 1);
  BOOST_TEST(has_goal(one_more));
}

BOOST_AUTO_TEST_CASE(a_goal_that_a_person_has_part_in_gives_way_to_nobody) {
  setup.config.frontal_cortex.max_goals = 2;
  start();
  auto x = add(gauge, draft("reminder", "Buy wine", 0.95, {"wine", "dinner"})).observation;
  add(ann, draft("reminder", "A red one", 0.95, {"wine", "dinner"}));
  remind(gauge);
  remind(ann);
  remind(ann);
  BOOST_TEST(has_goal(x));
  BOOST_TEST(traced("give_way", "success") == 1u);
}

BOOST_AUTO_TEST_CASE(a_goal_without_room_keeps_a_person_from_no_other) {
  setup.config.durability.max_batch = 4'096;
  start();
  add_observations many{as_daemon("planner"), {}};
  for (auto i = 0; i < 1'000; ++i)
    many.drafts.push_back(
      draft("reminder", "Bottle " + std::to_string(i), 0.95, {"wine", "dinner"}));
  value(ask(host->page(), std::move(many)));
  BOOST_TEST(goals().size() == 1u);
  BOOST_TEST(has_goal(add(ann, draft("reminder", "Red", 0.95, {"wine", "dinner"})).observation));
  BOOST_TEST(goals().size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_programs_say_does_not_take_the_place_of_what_a_person_waits_with) {
  setup.config.frontal_cortex.max_waiting = 2;
  promotion_rule pair;
  pair.id = "pair";
  pair.types = {"dependency"};
  pair.title = "{content}";
  pair.min_observations = 2;
  setup.config.promotion.rules.push_back(pair);
  start();
  auto waits = add(ann, draft("dependency", "Needs wine", 0.95, {"wine", "dinner"})).observation;
  for (auto name : {"a", "b", "c"})
    add(gauge, draft("dependency", std::string{"Needs "} + name, 0.95, {name}));
  add(ann, draft("dependency", "Needs a red one", 0.95, {"wine", "dinner"}));
  BOOST_TEST(only_goal().observation_id == waits->observation_id);
}

BOOST_AUTO_TEST_CASE(open_goals_of_a_program_take_only_so_many_bytes) {
  setup.config.frontal_cortex.max_goals_per_source = 100;
  setup.config.frontal_cortex.max_bytes_per_source = 50'000;
  start();
  for (auto i = 0; i < 50; ++i)
    remind_at_length(assistant);
  auto made = goals().size();
  BOOST_TEST(made > 5u);
  BOOST_TEST(made < 25u);
  BOOST_TEST(traced("create_goal", "overloaded") == 50 - made);
  auto refused = ask_for_goal(assistant);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(is_refused(refused.error(), "max_bytes_per_source"));
  BOOST_TEST(has_goal(remind_at_length(scale)));
  BOOST_TEST(has_goal(remind_at_length(ann)));
  value(set_status(ann, goals().front().goal_id, goal_status::abandoned));
  BOOST_TEST(has_goal(remind_at_length(assistant)));
}

BOOST_AUTO_TEST_CASE(a_goal_of_a_program_grows_by_only_so_many_bytes) {
  setup.config.frontal_cortex.max_bytes_per_source = 20'000;
  start();
  for (auto i = 0; i < 40; ++i)
    remind_at_length(gauge, "wine");
  BOOST_TEST(goal_of("wine").evidence.size() < 15u);
  BOOST_TEST(traced("join_goal", "overloaded") > 0u);
  auto of_ann = remind_at_length(ann, "wine");
  BOOST_TEST(has_goal(of_ann));
}

BOOST_AUTO_TEST_CASE(what_a_program_says_later_is_shortened_as_what_it_said_first) {
  start();
  auto noted = remind(gauge);
  update_observation longer{gauge, noted->observation_id, {}, {}};
  longer.changes.content = std::string(60'000, 'w');
  value(ask(host->page(), std::move(longer)));
  auto evidence = only_goal().evidence;
  BOOST_REQUIRE(evidence.size() == 1u);
  BOOST_TEST(evidence.front().content.starts_with("www"));
  BOOST_TEST(evidence.front().content.size() <= goal_limits::evidence_bytes);
}

BOOST_AUTO_TEST_CASE(goals_that_were_kept_with_longer_evidence_are_shortened) {
  goal kept;
  kept.goal_id = kept.goal_type = "dinner";
  kept.evidence = {{"obs_1", std::string(60'000, 'w'), 0.95, "tool gauge"}};
  setup.kept.recovered_goals = {kept};
  start();
  BOOST_TEST(only_goal().evidence.front().content.size() <= goal_limits::evidence_bytes);
}

BOOST_AUTO_TEST_CASE(programs_give_way_to_persons_when_goals_take_as_many_bytes_as_they_may) {
  setup.config.frontal_cortex.max_goals_per_source = 100;
  setup.config.frontal_cortex.max_bytes = 30'000;
  start();
  for (auto i = 0; i < 20; ++i)
    remind_at_length(assistant);
  BOOST_TEST(!has_goal(remind_at_length(scale)));
  BOOST_TEST(has_goal(remind_at_length(ann)));
  BOOST_TEST(traced("give_way", "success") >= 1u);
}

BOOST_AUTO_TEST_CASE(nobody_says_for_whom_a_goal_counts) {
  start();
  for (auto i = 0; i < 4; ++i) {
    goal wanted;
    wanted.goal_type = "dinner";
    wanted.context["counts_for"] = "tool gauge";
    std::ignore = ask(host->cortex(), create_goal{assistant, std::move(wanted)});
  }
  BOOST_TEST(goals().size() == 3u);
  BOOST_TEST(has_goal(remind(gauge)));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
