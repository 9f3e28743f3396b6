#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/host/ensemble_members.hpp"
#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

namespace {

/// A team whose Executor gets messages from the test.
struct open_team : team {
  subscriber_actor executor;

  void start_with(tool_manifest manifest, std::vector<recorded_response> responses) {
    add_tool(std::move(manifest), std::move(responses)).after_last = after_last::repeat;
    setup.elsewhere = {"executor"};
    start();
    executor = own(
      spawn_executor(sys, host->for_daemons(), setup.config, host->tools(), host->consciousness()));
    settle();
  }

  /// Sends the first event about an observation of the type to the Executor again.
  void deliver_again(const std::string& type) {
    page_event event;
    event.observation = of_type(type).front();
    event.turn_id = event.observation->source.turn_id;
    send(executor, event_batch{"tester", std::vector{event}});
    settle();
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_decision_that_comes_twice_is_worked_on_once, open_team) {
  start_with({.tool_id = "slow"}, {{.latency_ms = 500}});
  begin_turn request;
  request.input = "Do something";
  request.plan = {call("slow")};
  auto answer = send(host->turns(), request);
  settle();
  deliver_again("routing_decision");
  advance(std::chrono::seconds{2});
  BOOST_REQUIRE(answer->arrived());
  BOOST_TEST(entries_of(*trace, "call_tool", "executor").size() == 1u);
}

} // namespace scratchpage::test
