#include <string>

#include "scratchpage/tests/runtime/server/served_host.hpp"

/// Request keys over REST and JSON-RPC: what was asked for is not done twice (contract 14).

namespace scratchpage::test {

namespace {

struct keyed_requests : served_host {
  http_answer send(const std::string& method, const std::string& path, const std::string& key,
    const std::string& body = {}) {
    return ask(
      method, path, body, "Content-Type: application/json\r\nIdempotency-Key: " + key + "\r\n");
  }

  http_answer add(const std::string& key, const std::string& body = smoke) {
    return send("POST", "/v1/agents/ada/observations", key, body);
  }

  int observations() {
    auto stats = json::parse(ask("GET", "/v1/agents/ada/stats").body);
    return stats.at("observations").to_number<int>();
  }

  static std::string id_in(const http_answer& x) {
    return std::string{json::parse(x.body).at("observation_id").as_string()};
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(request_keys_of_a_server, keyed_requests)

BOOST_AUTO_TEST_CASE(a_request_with_the_same_key_gets_the_same_answer) {
  auto first = add("k-1");
  auto second = add("k-1");
  BOOST_TEST(first.status == 201);
  BOOST_TEST(second.status == 201);
  BOOST_TEST(second.body == first.body);
  BOOST_TEST(observations() == 1);
  BOOST_TEST(id_in(add("k-2")) != id_in(first));
}

BOOST_AUTO_TEST_CASE(a_key_may_be_in_quotation_marks_or_an_argument) {
  auto first = id_in(add("k-1"));
  BOOST_TEST(id_in(add("\"k-1\"")) == first);
  std::string with_argument{smoke};
  with_argument.insert(1, R"("request_key": "k-1", )");
  BOOST_TEST(id_in(post("/v1/agents/ada/observations", with_argument)) == first);
  auto link = open_link();
  auto params = json::parse(with_argument).as_object();
  auto called = require_value(call_on(*link, "add_observation", params));
  BOOST_TEST(std::string_view{called.at("observation_id").as_string()} == first);
  BOOST_TEST(observations() == 1);
}

BOOST_AUTO_TEST_CASE(a_key_with_another_request_is_a_conflict) {
  add("k");
  auto refused = add("k", R"({"type": "alert", "content": "Fire"})");
  BOOST_TEST(refused.status == 409);
  BOOST_TEST(field_of_error(refused) == "request_key");
  BOOST_TEST(observations() == 1);
}

BOOST_AUTO_TEST_CASE(a_malformed_key_is_refused) {
  for (const auto& key : {std::string{"a b"}, std::string{"\"\""}, std::string(129, 'a')}) {
    auto refused = add(key);
    BOOST_TEST(refused.status == 400, key);
    BOOST_TEST(field_of_error(refused) == "request_key", key);
  }
  std::string with_number{smoke};
  with_number.insert(1, R"("request_key": 7, )");
  BOOST_TEST(field_of_error(post("/v1/agents/ada/observations", with_number)) == "request_key");
  BOOST_TEST(ask("GET", "/v1/agents/ada/stats").status == 404); // nothing has begun
}

BOOST_AUTO_TEST_CASE(changes_that_do_not_keep_keys_refuse_them_and_reads_ignore_them) {
  add("k");
  auto refused = send("POST", "/v1/agents/ada/goals", "k", R"({"title": "Travel"})");
  BOOST_TEST(refused.status == 400);
  BOOST_TEST(field_of_error(refused) == "request_key");
  BOOST_TEST(send("GET", "/v1/agents/ada/observations", "k").status == 200);
}

BOOST_AUTO_TEST_CASE(what_was_deleted_or_changed_can_be_so_again) {
  auto one = "/v1/agents/ada/observations/" + id_in(add("k"));
  auto body = R"({"changes": {"content": "Fog"}})";
  auto changed = send("PATCH", one, "c", body);
  BOOST_TEST(changed.status == 200);
  BOOST_TEST(send("DELETE", one, "d").status == 204);
  BOOST_TEST(send("DELETE", one, "d").status == 204);
  BOOST_TEST(send("DELETE", one, "e").status == 404);
  BOOST_TEST(send("PATCH", one, "c", body).body == changed.body);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(request_keys_are_known_when_the_host_has_begun_again, hosted) {
  json::object draft{{"type", "alert"}, {"content", "Smoke"}, {"request_key", "k"}};
  auto first = call("ada", "add_observation", draft);
  host_again();
  BOOST_TEST(to_text(call("ada", "add_observation", draft)) == to_text(first));
}

} // namespace scratchpage::test
