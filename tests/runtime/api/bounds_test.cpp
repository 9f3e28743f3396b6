#include <boost/test/unit_test.hpp>

#include <string>

#include "scratchpage/tests/runtime/api/asked_team.hpp"

/// Arguments beyond a limit are refused with their path in the request, before any actor is asked.

namespace scratchpage::test {

namespace {

std::string list_of(size_t count, const std::string& value = R"("x")") {
  std::string result = "[";
  for (size_t i = 0; i < count; ++i)
    result.append(i == 0 ? "" : ",").append(value);
  return result + "]";
}

std::string member(const std::string& name, const std::string& value) {
  return "{\"" + name + "\": " + value + "}";
}

/// Calls operations with arguments that are longer than a request body may be.
struct asked_at_length : asked_team {
  std::string refused(std::string operation, const std::string& arguments) {
    call_operation request{by, "main", std::move(operation), {}};
    request.arguments = parse_json(arguments, {64u << 20, 32})->get_object();
    auto answer = send(operations, std::move(request));
    settle();
    if (!answer->arrived())
      return "asked";
    auto& x = *answer->value;
    return x ? "none" : to_string(code_of(x.error())) + " " + field_of(x.error());
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(operations_within_bounds, asked_at_length)

BOOST_AUTO_TEST_CASE(a_filter_of_100_001_values_is_refused_by_its_path) {
  begin();
  auto many = list_of(100'001);
  for (auto* name : {"type", "source", "owner", "tags"}) {
    auto filter = member(name, many);
    BOOST_TEST(refused("query_observations", member("metadata", filter))
               == "invalid_request metadata." + std::string{name});
    BOOST_TEST(refused("list_observations", filter) == "invalid_request " + std::string{name});
    BOOST_TEST(refused("list_archive", filter) == "invalid_request " + std::string{name});
  }
  BOOST_TEST(refused("list_observations", member("status", list_of(101, R"("active")")))
             == "invalid_request status");
  BOOST_TEST(traced("query_observations") == 0u); // the page was not asked
  BOOST_TEST(traced("list_archive") == 0u);
}

BOOST_AUTO_TEST_CASE(a_query_of_4_mb_of_text_is_refused_by_its_name) {
  begin();
  BOOST_TEST(refused("query_observations", member("query", '"' + std::string(4'000'000, 'x') + '"'))
             == "invalid_request query");
}

BOOST_AUTO_TEST_CASE(a_batch_of_10_001_drafts_is_refused_as_a_whole) {
  begin();
  BOOST_TEST(refused("add_observations", member("drafts", list_of(10'001, "{}")))
             == "invalid_request drafts");
  BOOST_TEST(
    call("add_observations", member("drafts", list_of(3, "{}"))).at("results").as_array().size()
    == 3u);
}

BOOST_AUTO_TEST_CASE(a_plan_of_257_calls_begins_no_turn) {
  begin();
  auto calls = list_of(257, R"({"tool_id": "mail"})");
  BOOST_TEST(refused("begin_turn", R"({"input": "Hello", "plan": )" + calls + "}")
             == "invalid_request plan");
}

BOOST_AUTO_TEST_CASE(active_ones_have_a_limit_and_a_cursor) {
  begin();
  for (auto i = 0; i < 3; ++i)
    add(R"({"type": "observation", "content": "Smoke"})");
  auto first = call("get_active_observations", R"({"limit": 2})");
  BOOST_TEST(first.at("observations").as_array().size() == 2u);
  BOOST_TEST(total(first) == 3u);
  std::string cursor{first.at("next_cursor").as_string()};
  auto rest = call("get_active_observations", R"({"limit": 2, "cursor": ")" + cursor + "\"}");
  BOOST_TEST(rest.at("observations").as_array().size() == 1u);
  BOOST_TEST(rest.as_object().if_contains("next_cursor") == nullptr);
  for (auto* limit : {"0", "1001", "4294967295"})
    BOOST_TEST(
      refused("get_active_observations", member("limit", limit)) == "invalid_request limit");
}

BOOST_AUTO_TEST_CASE(an_id_of_a_turn_of_129_bytes_is_refused_and_kept_nowhere) {
  begin();
  auto is_refused = [this](const std::string& turn_id) {
    auto id = R"("turn_id": ")" + turn_id + '"';
    for (const auto* operation : {"await_turn", "end_turn"})
      BOOST_TEST(refused(operation, "{" + id + "}") == "invalid_request turn_id");
    BOOST_TEST(refused("add_observation", R"({"type": "alert", "content": "Smoke", )" + id + "}")
               == "invalid_request turn_id");
    BOOST_TEST(
      refused("add_observations", R"({"drafts": [], )" + id + "}") == "invalid_request turn_id");
  };
  for (auto bytes : {129, 4'000'000})
    is_refused(std::string(static_cast<size_t>(bytes), 'x'));
  is_refused("turn\\u0000"); // not every database can store U+0000
  for (const auto& entry : trace->entries())
    BOOST_TEST(!entry.turn_id.starts_with("x"));
  BOOST_TEST(traced("await_turn", "invalid_request") == 6u); // `end_turn` waits too
  BOOST_TEST(refused("await_turn", member("turn_id", '"' + std::string(128, 'x') + '"'))
             == "not_found turn_id");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
