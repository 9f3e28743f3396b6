#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/executor_node.hpp"
#include "scratchpage/runtime/testing/team.hpp"
#include "scratchpage/tests/support/require_value.hpp"

namespace scratchpage::test {

namespace {

/// Stands for something of the program that its code uses, such as a database.
using resource = std::shared_ptr<int>;

tool_definition tool_with(resource used) {
  return {{.tool_id = "look_up"}, function_tool{[used](const tool_request& x) {
            return tool_response{.request_id = x.request_id};
          }}};
}

policy_factories policies_with(resource used) {
  policy_factories result;
  result.executor = [used](std::shared_ptr<executor_policy>) {
    return policy_of<executor_policy>([used](const execution_case& x) { return x.plan; });
  };
  return result;
}

class keeper : public daemon {
public:
  static constexpr const char* name = "keeper";

  keeper(handle::pointer self, daemon_setup setup, resource used)
    : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::first_custom)},
      used_{std::move(used)} {}

private:
  std::vector<observation_filter> interests() const override { return {{.type = {"alert"}}}; }
  void react(const page_event&, const ack_guard&) override {}

  resource used_;
};

/// Runs a turn that calls the tool, so that the tool is spawned.
void run_turn_with_tool(const ensemble& in) {
  auto result =
    require_value(in.run_turn({.input = "Look it up", .plan = {{.tool_id = "look_up"}}}));
  BOOST_TEST(to_string(result.status) == "complete");
}

struct real_system {
  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
};

/// A tool that runs until a daemon is destroyed, which happens while the ensemble ends.
struct gate {
  std::promise<void> opened;
  std::promise<void> entered;
  std::atomic<bool> is_passed = false;

  void pass() {
    entered.set_value();
    opened.get_future().wait_for(std::chrono::seconds{10});
    is_passed = true;
  }
};

class gate_keeper : public daemon {
public:
  static constexpr const char* name = "gate_keeper";

  gate_keeper(handle::pointer self, daemon_setup setup, gate& kept)
    : daemon{self, std::move(setup), name, static_cast<uint32_t>(component::first_custom)},
      kept_{kept} {}

  ~gate_keeper() override { kept_.opened.set_value(); }

private:
  std::vector<observation_filter> interests() const override { return {}; }
  void react(const page_event&, const ack_guard&) override {}

  gate& kept_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(ends_of_ensembles)

BOOST_FIXTURE_TEST_CASE(nothing_of_the_program_is_left_when_an_ensemble_has_ended, real_system) {
  auto used = std::make_shared<int>();
  {
    ensemble team{system, {.tools = {tool_with(used)}, .policies = policies_with(used)}};
    team.add_daemon<keeper>(used);
    BOOST_TEST(!team.ready());
    run_turn_with_tool(team);
    BOOST_TEST(used.use_count() > 3);
  }
  BOOST_TEST(used.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(the_end_of_an_ensemble_waits_for_a_tool_that_runs, real_system) {
  gate kept;
  function_tool slow{[&kept](const tool_request& x) {
                       kept.pass();
                       return tool_response{.request_id = x.request_id};
                     },
    true};
  {
    ensemble team{system, {.tools = {{{.tool_id = "look_up"}, slow}}}};
    team.add_daemon<gate_keeper>(kept);
    BOOST_TEST(!team.ready());
    auto held = team.run_turn(
      {.input = "Look it up", .plan = {{.tool_id = "look_up"}}, .mode = turn_mode::background});
    require_value(std::move(held));
    auto entered = kept.entered.get_future().wait_for(std::chrono::seconds{30});
    BOOST_REQUIRE((entered == std::future_status::ready));
  }
  BOOST_TEST(kept.is_passed);
}

BOOST_AUTO_TEST_CASE(nothing_of_the_program_is_left_on_virtual_time_either) {
  auto used = std::make_shared<int>();
  testing::team team;
  team.start({.tools = {tool_with(used)}, .policies = policies_with(used)});
  team.host->add_daemon<keeper>(used);
  BOOST_TEST(!team.host->ready());
  run_turn_with_tool(*team.host);
  BOOST_TEST(used.use_count() > 3);
  team.host.reset();
  BOOST_TEST(used.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(who_waits_for_a_team_is_told_when_it_ends_before, real_system) {
  std::atomic<errc> told = errc::none;
  {
    ensemble team{system, {.elsewhere = {"executor"}}};
    team.on_ready([&](const caf::error& err) { told = err ? errc::internal : errc::none; });
  }
  BOOST_TEST((told == errc::internal));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(executor_nodes)

BOOST_FIXTURE_TEST_CASE(a_node_works_for_a_page_and_leaves_nothing_behind, real_system) {
  auto used = std::make_shared<int>();
  ensemble team{system, {.elsewhere = {"executor"}}};
  {
    executor_node node{system, "agent", team.page(), team.consciousness(), {tool_with(used)}, {},
      policies_with(used)};
    BOOST_TEST(!team.ready());
    run_turn_with_tool(team);
    BOOST_TEST(used.use_count() > 2);
  }
  BOOST_TEST(used.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_node_refuses_a_tool_that_it_has_twice, real_system) {
  ensemble team{system, {.elsewhere = {"executor"}}};
  auto make = [&] {
    executor_node{
      system, "agent", team.page(), team.consciousness(), {tool_with(nullptr), tool_with(nullptr)}};
  };
  BOOST_CHECK_EXCEPTION(make(), std::invalid_argument, [](const std::invalid_argument& x) {
    return std::string_view{x.what()}.find("look_up") != std::string_view::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
