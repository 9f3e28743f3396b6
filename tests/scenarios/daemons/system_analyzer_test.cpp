#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

#include "scratchpage/actors/policies/latency_policy.hpp"
#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

/// A team whose page gets measurements of one slow tool.
struct measured_team : team {
  measured_team() { start(); }

  /// Adds several measurements with one request, so that daemons get them in few batches.
  void measure(size_t times, const std::string& tool = "old_weather") {
    add_observations request{as_tool(tool),
      {times, draft("contextual_insight", "Answered in 5 seconds", 0.9, {"performance"})}};
    value(ask(host->page(), std::move(request)));
    settle();
  }

  /// How often the System Analyzer has listed the tools.
  size_t looks() const {
    size_t result = 0;
    for (const auto& x : trace->entries())
      result += x.operation == "list_tools" && x.source == "system_analyzer" ? 1 : 0;
    return result;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(system_analyzer)

BOOST_FIXTURE_TEST_CASE(suggests_the_same_once_for_measurements_that_come_together, measured_team) {
  measure(8);
  BOOST_TEST(contents(of_type("action_suggestion"))
             == "Look for a faster way than old_weather: it takes 5000ms");
  measure(8);
  advance(analysis_limits::pause);
  BOOST_TEST(of_type("action_suggestion").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(looks_once_for_measurements_that_come_together, measured_team) {
  measure(100);
  BOOST_TEST(looks() == 1u);
  advance(std::chrono::minutes{1});
  BOOST_TEST(looks() == 1u);
}

BOOST_FIXTURE_TEST_CASE(rests_after_each_look_and_misses_nothing, measured_team) {
  measure(2);
  for (auto i = 0; i < 10; ++i)
    measure(2);
  BOOST_TEST(looks() == 1u);
  BOOST_TEST(of_type("action_suggestion").empty());
  advance(analysis_limits::pause);
  BOOST_TEST(looks() == 2u);
  BOOST_TEST(of_type("action_suggestion").size() == 1u);
  for (auto i = 0; i < 10; ++i) {
    measure(1);
    advance(analysis_limits::pause / 5);
  }
  BOOST_TEST(looks() <= 5u);
}

BOOST_FIXTURE_TEST_CASE(no_turn_waits_while_it_rests, measured_team) {
  measure(1);
  measure(1);
  auto before = now();
  say("Hello there");
  BOOST_TEST((now() - before < analysis_limits::pause));
}

BOOST_FIXTURE_TEST_CASE(
  programs_of_any_number_of_names_lead_to_only_so_many_suggestions, measured_team) {
  for (size_t i = 0; i < 2 * analysis_limits::suggestions; ++i)
    measure(3, "tool" + std::to_string(i));
  advance(std::chrono::minutes{1});
  BOOST_TEST(of_type("action_suggestion").size() == analysis_limits::suggestions);
}

BOOST_FIXTURE_TEST_CASE(suggests_again_when_its_suggestion_is_no_longer_live, measured_team) {
  measure(8);
  auto suggested = of_type("action_suggestion");
  BOOST_REQUIRE(suggested.size() == 1u);
  BOOST_REQUIRE(
    ask(host->page(), archive_observation{as_daemon("probe"), suggested[0]->observation_id}));
  measure(1);
  advance(analysis_limits::pause);
  BOOST_REQUIRE(of_type("action_suggestion").size() == 1u);
  BOOST_TEST(of_type("action_suggestion")[0]->observation_id != suggested[0]->observation_id);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
