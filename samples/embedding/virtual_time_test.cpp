// A unit test of a team on virtual time: hours pass in milliseconds, and all runs are equal.
#include <iostream>

#include <scratchpage/runtime/testing/team.hpp>
#include <scratchpage/scratchpage.hpp>

using namespace scratchpage;
using namespace std::chrono_literals;

int failures = 0;

void check(bool holds, const char* sentence) {
  if (holds)
    return;
  std::cerr << "failed: " << sentence << '\n';
  ++failures;
}

// --(lifetime begin)--
void an_observation_ends_with_its_lifetime() {
  testing::team team;
  team.start();
  auto added = team.host->add({.type = "risk_alert", .content = "Smoke", .ttl_minutes = 60});
  check(!!added, "it is added");
  team.advance(59min);
  check(team.of_type("risk_alert")->observations.size() == 1, "it is there for an hour");
  team.advance(2min);
  check(team.of_type("risk_alert")->observations.empty(), "it is gone after that");
}
// --(lifetime end)--

// --(tool begin)--
void a_failed_call_is_made_again() {
  testing::team team;
  recorded_response broken{.status = tool_status::error, .outputs = {{"error", "timed out"}}};
  recorded_response answer{.outputs = {{"celsius", 21}}};
  tool_manifest weather{.tool_id = "weather", .idempotent = true};
  team.start({.tools = {testing::recorded(weather, {broken, answer})}});
  auto turn = team.say("How warm is it?", {{.tool_id = "weather"}});
  check(turn && turn->status == turn_status::complete, "the turn is complete");
  check(team.traced("tool_response") == 2, "the tool answers twice");
}
// --(tool end)--

// --(policy begin)--
/// Never decides, like a model that cannot be reached.
class silent_router : public router_policy {
public:
  void decide(const routing_case&, answer decided) override { kept_ = std::move(decided); }

private:
  answer kept_;
};

void the_built_in_policy_decides_when_the_own_one_is_silent() {
  testing::team team;
  ensemble_setup setup;
  setup.policies.router = [](const auto&) { return std::make_shared<silent_router>(); };
  setup.policies.within = 5s;
  team.start(std::move(setup));
  auto begun = team.now();
  auto turn = team.say("This is an emergency!");
  check(turn && turn->urgency == urgency::high, "the rules have decided");
  check(team.now() - begun >= 5s, "they did so after five seconds");
  check(team.traced("decide", "deadline_exceeded") == 1, "the trace tells why");
}
// --(policy end)--

// --(model begin)--
/// Keeps the callbacks, so that the test answers in place of a model.
class asking_router : public router_policy {
public:
  explicit asking_router(std::vector<answer>& asked)
    : asked_{asked} {}

  void decide(const routing_case&, answer decided) override {
    asked_.push_back(std::move(decided));
  }

private:
  std::vector<answer>& asked_;
};

void a_turn_waits_for_a_model_that_takes_its_time() {
  std::vector<router_policy::answer> asked; // before the team, so that it lives longer
  testing::team team;
  ensemble_setup setup;
  setup.policies.router = [&](const auto&) { return std::make_shared<asking_router>(asked); };
  team.start(std::move(setup));
  auto turn = team.send(team.host->turns(), begin_turn{.input = "There is water in the cellar"});
  team.advance(15s);
  check(asked.size() == 1 && !turn->arrived(), "the turn waits for the model");
  asked[0]({.level = urgency::high});
  team.settle();
  check(turn->arrived() && (*turn->value)->urgency == urgency::high, "the model has decided");
}
// --(model end)--

int main() {
  init_messages();
  an_observation_ends_with_its_lifetime();
  a_failed_call_is_made_again();
  the_built_in_policy_decides_when_the_own_one_is_silent();
  a_turn_waits_for_a_model_that_takes_its_time();
  return failures == 0 ? 0 : 1;
}
