#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

/// A team on whose page measurements of one slow tool arrive.
struct measured_team : team {
  measured_team() { start(); }

  /// Several at once: the daemons are told of them in few batches.
  void measure(size_t times) {
    add_observations request{as_tool("old_weather"),
      {times, draft("contextual_insight", "Answered in 5 seconds", 0.9, {"performance"})}};
    value(ask(host->page(), std::move(request)));
    settle();
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(system_analyzer)

BOOST_FIXTURE_TEST_CASE(suggests_the_same_once_for_measurements_that_come_together, measured_team) {
  measure(8);
  BOOST_TEST(contents(of_type("action_suggestion"))
             == "Look for a faster way than old_weather: it takes 5000ms");
  measure(8);
  BOOST_TEST(of_type("action_suggestion").size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(suggests_again_when_its_suggestion_is_no_longer_live, measured_team) {
  measure(8);
  auto suggested = of_type("action_suggestion");
  BOOST_REQUIRE(suggested.size() == 1u);
  BOOST_REQUIRE(
    ask(host->page(), archive_observation{as_daemon("probe"), suggested[0]->observation_id}));
  measure(1);
  BOOST_REQUIRE(of_type("action_suggestion").size() == 1u);
  BOOST_TEST(of_type("action_suggestion")[0]->observation_id != suggested[0]->observation_id);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
