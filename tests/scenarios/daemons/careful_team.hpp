#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/scenarios/daemons/trace_checks.hpp"
#include "scratchpage/tests/support/team.hpp"

/// Teams that ask the user before some calls are made.

namespace scratchpage::test {

/// A team with three tools that need consent, `pay`, `refund` and `user_profile`, and one that
/// does not, `weather`.
struct careful_team : team {
  /// The inputs of the calls of `pay`, in order: `{"amount":100}, {"amount":200}`.
  std::shared_ptr<std::string> paid = std::make_shared<std::string>();

  careful_team() {
    setup.tools.push_back({{.tool_id = "pay", .idempotent = true, .permissions = {"payments"}},
      function_tool{[paid = paid](const tool_request& x) {
        paid->append(paid->empty() ? "" : ", ").append(to_text(x.inputs));
        return tool_response{};
      }}});
    add_tool({.tool_id = "refund", .idempotent = true, .permissions = {"payments"}}).after_last =
      after_last::repeat;
    add_tool({.tool_id = "user_profile", .permissions = {"user_data"}}).after_last =
      after_last::repeat;
    add_tool({.tool_id = "weather"}).after_last = after_last::repeat;
  }

  turn_result say_as(const std::string& user, std::string input,
    std::vector<planned_call> plan = {}, json::object context = {}, std::string thread = "main") {
    begin_turn request;
    request.thread_id = std::move(thread);
    request.user_id = user;
    request.input = std::move(input);
    request.plan = std::move(plan);
    request.context = std::move(context);
    return run(std::move(request));
  }

  turn_result ask_to_pay() { return say("Pay the rent", {call("pay", {{"amount", 100}})}); }

  /// The tools that the Executor called, in order: "pay, weather".
  std::string calls() const {
    std::string result;
    for (const auto& x : entries_of(*trace, "call_tool", "executor"))
      result.append(result.empty() ? "" : ", ").append(detail_of(x, "tool_id"));
    return result;
  }

  observation_ptr pending() {
    auto found = of_type("pending_confirmation");
    return found.empty() ? observation_ptr{} : found.front();
  }

  /// The last revision of the observation, from the archive or from the page.
  observation_ptr settled(const std::string& id) {
    list_archive request;
    request.by = as_daemon("probe");
    request.limit = 1000;
    for (const auto& x : value(ask(host->page(), std::move(request))).observations)
      if (x->observation_id == id)
        return x;
    return value(ask(host->page(), get_observation{as_daemon("probe"), id}));
  }

  /// A question in the thread "main".
  static observation_draft in_main(std::string content) {
    auto x = draft("pending_confirmation", std::move(content), 0.9);
    x.context["thread_id"] = "main";
    return x;
  }

  static std::string content_of(const turn_result& turn, std::string_view type) {
    std::string result;
    for (const auto& x : turn.observations)
      if (x->type == type)
        result.append(result.empty() ? "" : "\n").append(x->content);
    return result;
  }
};

/// A team that has asked Ann whether it may call `pay`.
struct asked_team : careful_team {
  std::string question;

  asked_team() {
    start();
    auto turn = ask_to_pay();
    BOOST_REQUIRE(to_string(turn.status) == "waiting");
    BOOST_REQUIRE(calls().empty());
    question = pending()->observation_id;
  }
};

} // namespace scratchpage::test
