#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/tests/support/durable_team.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

constexpr uint64_t services = 2; // the Frontal Cortex and semantic memory
constexpr uint64_t all_daemons = 7;

uint64_t subscribers_of(team& x) {
  return team::value(x.ask(x.host->page(), caf::get_atom_v)).subscribers;
}

bool has(const std::vector<std::string>& names, std::string_view x) {
  return std::find(names.begin(), names.end(), x) != names.end();
}

/// Who has subscribed to the page, by its trace.
std::string traced_subscribers(const team& x) {
  std::string result;
  for (const auto& one : x.trace->entries())
    if (one.component == "scratch_page" && one.operation == "subscribe")
      result += one.source + " ";
  return result;
}

/// A team whose daemons begin when they are needed.
struct late_team : team {
  late_team() {
    setup.daemons_begin_late = true;
    add_tool({.tool_id = "weather"}, {{.outputs = {{"temperature", 15}}}});
    start();
  }
};

/// The same team whose daemons are there from the start.
struct early_team : team {
  early_team() {
    add_tool({.tool_id = "weather"}, {{.outputs = {{"temperature", 15}}}});
    start();
  }
};

/// Types, contents and sources, in the order in which they were added.
std::string story_of(team& x) {
  std::string result;
  auto all = x.query({}).observations;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return number_of(a->observation_id) < number_of(b->observation_id);
  });
  for (const auto& one : all)
    result += one->type + " of " + one->source.name + ": " + one->content + "\n";
  return result;
}

observation_draft alert(const std::string& what) {
  auto result = draft("error_alert", "Tool '" + what + "' failed: it broke");
  result.metadata = {{"tool_id", what}};
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(daemons_that_begin_late)

BOOST_FIXTURE_TEST_CASE(an_agent_that_only_keeps_observations_has_no_daemons, late_team) {
  BOOST_TEST(subscribers_of(*this) == services + 1);
  add(as_tool("weather"), draft("observation", "It rains."));
  settle();
  BOOST_TEST(subscribers_of(*this) == services + 1);
  BOOST_TEST(has(host->team(), "stand_in"));
  BOOST_TEST(traced_subscribers(*this) == "frontal_cortex semantic_memory ");
}

BOOST_FIXTURE_TEST_CASE(they_begin_with_the_first_turn_and_stay, late_team) {
  auto first = say("Hello there");
  BOOST_TEST(to_string(first.status) == "complete");
  BOOST_TEST(first.observations.size() == 3u); // input, routing, evaluation
  BOOST_TEST(subscribers_of(*this) == services + all_daemons);
  BOOST_TEST(host->team().size() == services + all_daemons);
  BOOST_TEST(!has(host->team(), "stand_in"));
  BOOST_TEST(traced("unsubscribe") == 0u);
  auto second = say("Hello again");
  BOOST_TEST(to_string(second.status) == "complete");
  BOOST_TEST(subscribers_of(*this) == services + all_daemons);
}

BOOST_AUTO_TEST_CASE(a_turn_leaves_what_it_leaves_with_daemons_from_the_start) {
  late_team late;
  early_team early;
  for (team* x : {static_cast<team*>(&late), static_cast<team*>(&early)})
    x->say("What is the weather in Paris?", {call("weather", {{"city", "Paris"}})});
  BOOST_TEST(story_of(late) == story_of(early));
}

BOOST_AUTO_TEST_CASE(what_is_added_at_once_is_handled_from_the_first_on) {
  late_team late;
  early_team early;
  for (team* x : {static_cast<team*>(&late), static_cast<team*>(&early)}) {
    add_observations many{as_daemon("planner"), {}};
    for (int i = 0; i < 50; ++i) {
      many.drafts.push_back(draft("observation", "Number " + std::to_string(i)));
      many.drafts.push_back(alert("tool " + std::to_string(i)));
    }
    team::value(x->ask(x->host->page(), std::move(many)));
    x->settle();
  }
  BOOST_TEST(late.of_type("recovery_plan").size() == early.of_type("recovery_plan").size());
  BOOST_TEST(late.of_type("recovery_plan").size() > 0u);
  BOOST_TEST(subscribers_of(late) == services + all_daemons);
}

BOOST_FIXTURE_TEST_CASE(a_change_that_no_daemon_wants_calls_none, late_team) {
  auto added = add(as_daemon("planner"), draft("observation", "It rains."));
  auto update = update_observation{as_daemon("planner"), added.observation->observation_id, {}};
  update.changes.content = "It pours.";
  value(ask(host->page(), std::move(update)));
  settle();
  BOOST_TEST(subscribers_of(*this) == services + 1);
}

BOOST_FIXTURE_TEST_CASE(they_end_with_an_ensemble_that_ends_while_they_begin, late_team) {
  tell(host->turns(), begin_turn{.input = "Hello there"});
  host.reset();
  settle();
  BOOST_TEST(sys.registry().running() == 0u);
}

BOOST_FIXTURE_TEST_CASE(they_are_there_after_a_rest_if_they_were_before, durable_team) {
  setup.daemons_begin_late = true;
  begin();
  rest();
  BOOST_TEST(subscribers_of(*this) == services + 1);
  BOOST_TEST(to_string(say("Hello there").status) == "complete");
  for (int i = 0; i < 3; ++i) {
    rest();
    BOOST_TEST(subscribers_of(*this) == services + all_daemons);
  }
  BOOST_TEST(to_string(say("Hello again").status) == "complete");
}

BOOST_AUTO_TEST_CASE(a_policy_that_cannot_be_made_is_traced_and_no_turn_hangs) {
  team x;
  x.setup.daemons_begin_late = true;
  x.setup.policies.router = [](std::shared_ptr<router_policy>) -> std::shared_ptr<router_policy> {
    throw std::runtime_error{"no rules"};
  };
  x.start();
  auto result = x.say("Hello there");
  BOOST_TEST(to_string(result.status) == "complete");
  BOOST_TEST(x.traced("spawn_team") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
