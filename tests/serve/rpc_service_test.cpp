#include <future>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/serve/rpc_service.hpp"
#include "scratchpage/tests/serve/hosted.hpp"

/// JSON-RPC 2.0 as clients in any language speak it.

namespace scratchpage::test {

namespace {

struct rpc_host : hosted {
  operation_caller operations{host->system()};
  serve::agent_opener opener{*host};
  serve::agent_calls calls{*host, opener, operations};
  serve::rpc_service service{calls};
  serve::visitor who{as_user("ann")};

  /// The answer as text; "" if there is none.
  std::string ask_for(const std::string& text) {
    std::promise<std::string> answered;
    service.answer(text, {who, agent("ada")->id, "main"},
      [&](const std::optional<std::string>& x) { answered.set_value(x.value_or("")); });
    return answered.get_future().get();
  }

  json::value answer(const std::string& text) { return json::parse(ask_for(text)); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(rpc_services, rpc_host)

BOOST_AUTO_TEST_CASE(the_first_seeds_calls_are_answered) {
  auto added = answer(R"({"jsonrpc": "2.0", "id": 1, "method": "add_observation", "params": {
    "type": "error_alert", "content": "weather_api timed out", "tags": ["error"]}})");
  BOOST_TEST(added.at("id").to_number<int>() == 1);
  BOOST_TEST(added.at("result").at("source").at("user").as_string() == "ann");
  auto found = answer(R"({"jsonrpc": "2.0", "id": "q", "method": "query_observations", "params": {
    "query": "What errors occurred in this turn?", "metadata": {"tags": ["error"]}}})");
  BOOST_TEST(found.at("id").as_string() == "q");
  BOOST_TEST(found.at("result").at("total_count").to_number<int>() == 1);
}

BOOST_AUTO_TEST_CASE(a_batch_is_answered_in_its_order_and_notifications_are_not) {
  auto all = answer(R"([
    {"jsonrpc": "2.0", "id": 1, "method": "add_observation",
     "params": {"type": "alert", "content": "Smoke"}},
    {"jsonrpc": "2.0", "method": "add_observation", "params": {"type": "alert", "content": "Fire"}},
    {"jsonrpc": "2.0", "id": 2, "method": "no_such_thing"},
    7])");
  BOOST_REQUIRE(all.as_array().size() == 3u);
  BOOST_TEST(all.at(0).at("result").at("content").as_string() == "Smoke");
  BOOST_TEST(all.at(1).at("error").at("code").to_number<int>() == -32601);
  BOOST_TEST(all.at(2).at("error").at("code").to_number<int>() == -32600);
  auto found =
    answer(R"({"jsonrpc": "2.0", "id": 3, "method": "list_observations", "params": {}})");
  BOOST_TEST(found.at("result").at("total_count").to_number<int>() == 2);
}

BOOST_AUTO_TEST_CASE(nothing_but_notifications_is_not_answered) {
  BOOST_TEST(ask_for(R"([{"jsonrpc": "2.0", "method": "add_observation",
    "params": {"type": "alert", "content": "Fire"}}])")
             == "");
}

BOOST_AUTO_TEST_CASE(an_error_names_the_field) {
  auto refused = answer(R"({"jsonrpc": "2.0", "id": 1, "method": "add_observation",
    "params": {"type": "alert", "content": " "}})");
  BOOST_TEST(refused.at("error").at("data").at("field").as_string() == "content");
  BOOST_TEST(refused.at("error").at("code").to_number<int>() == -32001);
}

BOOST_AUTO_TEST_CASE(who_may_only_read_changes_nothing) {
  who.may_write = false;
  auto refused = answer(R"({"jsonrpc": "2.0", "id": 1, "method": "add_observation",
    "params": {"type": "alert", "content": "x"}})");
  BOOST_TEST(refused.at("error").at("data").at("code").as_string() == "forbidden");
  auto found =
    answer(R"({"jsonrpc": "2.0", "id": 3, "method": "list_observations", "params": {}})");
  BOOST_TEST(found.at("result").at("total_count").to_number<int>() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
