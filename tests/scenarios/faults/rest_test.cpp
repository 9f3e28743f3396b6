#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/tests/support/durable_team.hpp"

/// Agents that were at rest: nobody can tell it from their answers.

namespace scratchpage::test {

namespace {

/// Two teams that do the same. One of them rests after each step.
struct two_teams {
  durable_team awake;
  durable_team resting;

  /// Begins both. `prepare` is called with each before.
  template <class F>
  void begin(F prepare) {
    for (auto* x : {&awake, &resting}) {
      prepare(*x);
      x->begin();
    }
  }

  void begin() {
    begin([](durable_team&) {});
  }

  /// Does a step with both teams, and compares the texts that it returns.
  template <class F>
  void same(F step) {
    auto expected = step(awake);
    auto found = step(resting);
    BOOST_TEST(found == expected);
    resting.rest();
  }
};

std::string text_of(const std::vector<goal>& goals) {
  std::string result;
  for (const auto& x : goals)
    result += x.goal_id + " " + std::string{name_of(x.status)} + " "
              + std::to_string(x.progress) + "\n";
  return result;
}

std::string text_of(const caf::expected<turn_result>& x) {
  return x ? to_text(to_json(*x)) : describe(x.error());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(rest, two_teams)

// -- turns --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_next_turn_has_the_next_number) {
  begin();
  for (int i = 0; i < 3; ++i)
    same([](durable_team& x) { return x.say("Hello").turn_id; });
  BOOST_TEST(awake.say("Hello").turn_id.ends_with("_4"));
}

BOOST_AUTO_TEST_CASE(results_of_turns_are_kept) {
  begin();
  std::string first, last;
  for (auto* x : {&awake, &resting}) {
    first = x->say("I want to fly to Paris next week.").turn_id;
    last = x->say("What is the time?").turn_id;
  }
  for (const auto& id : {first, last}) {
    auto before = text_of(resting.ask(resting.host->turns(), await_turn{id, {}}));
    resting.rest();
    BOOST_TEST(text_of(resting.ask(resting.host->turns(), await_turn{id, {}})) == before);
    same([&](durable_team& x) {
      auto found = x.ask(x.host->turns(), await_turn{id, {}});
      return found ? found->response + found->turn_id : describe(found.error());
    });
  }
}

BOOST_AUTO_TEST_CASE(no_more_results_of_turns_are_kept_than_without_a_rest) {
  begin([](durable_team& x) { x.setup.config.turns.kept_results = 2; });
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i)
    same([&](durable_team& x) { return ids.emplace_back(x.say("Hello").turn_id); });
  for (const auto& id : ids)
    same([&](durable_team& x) {
      auto found = x.ask(x.host->turns(), await_turn{id, {}});
      return found ? found->turn_id : describe(found.error());
    });
}

BOOST_AUTO_TEST_CASE(a_team_works_while_a_turn_is_open) {
  begin();
  begin_turn request;
  request.input = "Hello";
  request.thread_id = "main";
  request.user_id = "ann";
  request.hold = true;
  auto held = resting.run(request);
  BOOST_TEST(resting.kept->is_working());
  BOOST_TEST(text_of(resting.ask(resting.host->turns(), end_turn{held.turn_id})) != "");
  resting.settle();
  BOOST_TEST(!resting.kept->is_working());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
