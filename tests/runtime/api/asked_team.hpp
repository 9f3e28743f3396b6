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

/// A whole team that is asked by the names of operations and in JSON.
struct asked_team : team {
  operations_actor operations;
  caller by = as_user("ann");

  void begin() {
    setup.config.profile.scratchbook = true;
    start();
    operations = make<operations_state>(operations_parts{
      host->page(), host->cortex(), host->turns(), host->working_memory(), host->scratchbooks()});
  }

  caf::expected<operation_answer> try_to(std::string operation, std::string_view arguments) {
    call_operation request{by, "main", std::move(operation), {}};
    request.arguments = parse_json(arguments)->get_object();
    auto answer = virtual_time::start(operations, std::move(request));
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

  static uint64_t total(const json::value& x) { return x.at("total_count").to_number<uint64_t>(); }
};

} // namespace scratchpage::test
