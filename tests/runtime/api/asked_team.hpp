#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/runtime/api/operations.hpp"
#include "scratchpage/tests/support/team.hpp"

namespace scratchpage::test {

/// The arguments of a turn in the thread "t" that confirms a question by its id.
inline std::string confirming(const std::string& question) {
  return R"({"input": "Yes", "thread_id": "t", "context": {"confirms": ")" + question + "\"}}";
}

/// A complete team that is asked by the names of operations, with arguments in JSON.
struct asked_team : team {
  operations_actor operations;
  caller by = as_user("ann");

  void begin() {
    setup.config.profile.scratchbook = true;
    start();
    operations = make<operations_state>(
      operations_parts{host->page(), host->cortex(), host->turns(), host->working_memory(),
        host->scratchbooks(), host->facts(), host->episodes(), host->memories()});
  }

  caf::expected<operation_answer> try_to(std::string operation, std::string_view arguments) {
    call_operation request{by, "main", std::move(operation), {}};
    request.arguments = parse_json(arguments)->get_object();
    auto answer = send(operations, std::move(request));
    settle();
    while (!answer->arrived() && driver.advance_to_next_deadline()) {
    }
    BOOST_REQUIRE(answer->arrived());
    return std::move(*answer->value);
  }

  json::value call(std::string operation, std::string_view arguments = "{}") {
    return value(parse_result(value(try_to(std::move(operation), arguments)).result));
  }

  std::string refusal(std::string operation, std::string_view arguments = "{}") {
    auto x = try_to(std::move(operation), arguments);
    return x ? "none" : to_string(code_of(x.error())) + " " + field_of(x.error());
  }

  json::value as(const caller& who, const std::string& operation, std::string_view arguments) {
    by = who;
    return call(operation, arguments);
  }

  std::string refusal_of(
    const caller& who, const std::string& operation, std::string_view arguments) {
    by = who;
    return refusal(operation, arguments);
  }

  std::string add(std::string_view arguments) {
    return std::string{call("add_observation", arguments).at("observation_id").as_string()};
  }

  /// An agent begins a turn in ann's name whose call of the tool `pay` needs her consent. Returns
  /// the id of the question to her.
  std::string ask_ann() {
    as(as_daemon("assistant"), "begin_turn",
      R"({"input": "Pay the rent", "user_id": "ann", "thread_id": "t",
          "plan": [{"tool_id": "pay", "inputs": {"amount": 100}}]})");
    BOOST_REQUIRE(traced("call_tool") == 0u);
    auto asked = of_type("pending_confirmation");
    BOOST_REQUIRE(asked.size() == 1u);
    return asked.front()->observation_id;
  }

  static uint64_t total(const json::value& x) { return x.at("total_count").to_number<uint64_t>(); }
};

} // namespace scratchpage::test
