#include <boost/test/unit_test.hpp>

#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/runtime/simulation/scenario.hpp"
#include "scratchpage/tests/runtime/mcp/client/scripted_server.hpp"
#include "scratchpage/tests/support/tools.hpp"

/// A complete team with a real MCP server.

namespace scratchpage::test {

namespace {

struct team_with_server {
  caf::actor_system_config cfg;
  caf::actor_system sys{cfg};
  caf::scoped_actor self{sys};
  std::unique_ptr<ensemble> host;

  void start(const mcp_client::server_config& server) {
    hosted_setup setup;
    setup.config.mcp_servers["box"] = server;
    host = std::make_unique<ensemble>(sys, std::move(setup));
    auto stats = get<page_stats>(host->page(), caf::get_atom_v);
    while (stats.subscribers < host->subscribers())
      stats = get<page_stats>(host->page(), caf::get_atom_v);
  }

  template <class T, class Handle, class Request>
  T get(const Handle& whom, Request x) {
    T result;
    ask(self.ptr(), whom, std::chrono::minutes{1}, std::move(x))
      .receive([&](T& answer) { result = std::move(answer); },
        [](const caf::error& err) { BOOST_FAIL(describe(err)); });
    return result;
  }

  turn_result say(std::string input, std::string tool, std::string_view inputs) {
    begin_turn turn;
    turn.user_id = "ada";
    turn.thread_id = "main";
    turn.input = std::move(input);
    turn.plan = {{.call_id = "c1", .tool_id = std::move(tool), .inputs = object(inputs)}};
    return get<turn_result>(host->turns(), std::move(turn));
  }

  static observation_ptr of_type(const turn_result& x, std::string_view type) {
    for (const auto& one : x.observations)
      if (one->type == type)
        return one;
    return {};
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(team_with_tools, team_with_server)

BOOST_AUTO_TEST_CASE(a_call_of_a_plan_becomes_a_result_on_the_page) {
  start(scripted_program());
  auto result = say("Say hello", "box.echo", R"({"text": "hello"})");
  BOOST_TEST(to_string(result.status) == "complete");
  auto stored = of_type(result, "tool_result");
  BOOST_REQUIRE(stored);
  BOOST_TEST(stored->content == R"(box.echo: {"text":"hello"})");
  BOOST_TEST((stored->source.kind == source_kind::tool)); // so it is not trusted
  BOOST_TEST(stored->source.name == "box.echo");
}

BOOST_AUTO_TEST_CASE(what_it_says_to_destroy_waits_for_the_user) {
  start(scripted_program());
  auto asked = say("Erase it", "box.erase", "{}");
  BOOST_TEST(!of_type(asked, "tool_result"));
  BOOST_REQUIRE(of_type(asked, "pending_confirmation"));
  auto agreed = say("Yes, go ahead", "box.echo", R"({"text": "thanks"})");
  auto erased = false;
  for (const auto& x : agreed.observations)
    erased = erased || x->content == R"(box.erase: {"text":"erased"})";
  BOOST_TEST(erased);
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_server_is_an_alert_and_the_turn_ends) {
  start(scripted_program());
  auto result = say("Try this", "box.fail", "{}");
  auto alert = of_type(result, "error_alert");
  BOOST_REQUIRE(alert);
  BOOST_TEST(alert->content == "Tool 'box.fail' failed: no such planet");
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_come_up_gives_the_plan_no_tools) {
  mcp_client::server_config missing;
  missing.command = "no_such_program_anywhere";
  start(missing);
  auto result = say("Say hello", "box.echo", "{}");
  auto alert = of_type(result, "error_alert");
  BOOST_REQUIRE(alert);
  BOOST_TEST(alert->content.find("tool box.echo not found") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(prompts_name_its_tools) {
  start(scripted_program());
  get<tool_list>(host->tools(), list_tools{as_daemon("probe")}); // waits until the server runs
  make_prompt wanted;
  wanted.by = as_daemon("probe");
  wanted.thread_id = "main";
  auto prompt = get<model_prompt>(host->conversations(), std::move(wanted));
  BOOST_TEST(prompt.system.find("box.echo") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(played)

BOOST_AUTO_TEST_CASE(a_scenario_has_the_servers_that_it_names_in_real_time_only) {
  auto scenario = read_scenario(R"({"scenario": "s", "servers": ["box"], "steps": [
    {"turn": {"input": "Say hello", "plan": [{"tool_id": "box.echo", "inputs": {"text": "hi"}}]}},
    {"expect": {"turn": {"calls": 1, "failed_calls": 0}}}]})",
    "s.json");
  BOOST_REQUIRE(scenario);
  ensemble_player player;
  json::object servers{{"box", to_json(scripted_program())}};
  servers["other"] = {{"command", "no_such_program_anywhere"}};
  BOOST_REQUIRE(!player.configure({{"mcpServers", servers}}));
  play_options options;
  auto refused = player.play(*scenario, options);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(field_of(refused.error()) == "servers");
  options.real_time = true;
  auto played = player.play(*scenario, options);
  BOOST_REQUIRE(played);
  BOOST_TEST(played->unmet.empty());
  scenario->servers = {"box", "missing"};
  BOOST_TEST(describe(player.play(*scenario, options).error())
             == "invalid_request: servers: expected names of the configuration's mcpServers, got "
                "'missing'");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
