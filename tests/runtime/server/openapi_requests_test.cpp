#include <algorithm>
#include <set>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/tests/runtime/server/broken_requests.hpp"
#include "scratchpage/tests/runtime/server/documented_service.hpp"
#include "scratchpage/tests/support/http_client.hpp"
#include "scratchpage/tests/support/json_schema_check.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// Compares the service with its OpenAPI document. Requests that the document allows are
/// answered as it describes. Others are refused with an error that names the part, and change
/// nothing. No request causes a server error.

namespace scratchpage::test {

namespace {

/// A service with an agent that gets only wrong requests, so that it never changes.
struct wrong_requests : documented_service {
  schema_values wrong{seed, settle_in("wrong", true)};
  const uint64_t before = sequence("wrong");

  wrong_requests() { BOOST_REQUIRE(!operations.empty()); }

  void check_unchanged(const http::request& asked) {
    if (sequence("wrong") != before)
      BOOST_FAIL("changed something: " << shown(asked) << ", or one of those before");
  }

  /// Whether the body is a batch, of which the other drafts are stored.
  static bool is_draft_of_several(const described_operation& x, const odd_body& odd) {
    const auto* body = odd.body.if_object();
    const auto* drafts = body != nullptr ? body->if_contains("drafts") : nullptr;
    return x.path.ends_with("/batch") && odd.at.starts_with("drafts") && drafts != nullptr
           && drafts->is_array();
  }

  void check_judged_by_itself(
    const described_operation& x, const http::request& asked, const odd_body& odd) {
    auto got = send(asked);
    check_described(x, asked, got);
    BOOST_REQUIRE_MESSAGE(got.status == 200, shown(asked) << " " << got.body);
    std::string refused;
    auto results = json::parse(got.body).at("results");
    for (const auto& one : results.as_array())
      if (const auto* error = one.as_object().if_contains("error"))
        refused = std::string{error->at("field").as_string()};
    auto is_whole = odd.at.find('.') == std::string::npos; // the replacement may be anything
    auto is_named = is_whole || names(refused, odd.at) || odd.parent.ends_with("." + refused);
    BOOST_TEST((!refused.empty() && is_named), shown(asked) << " " << got.body);
  }

  static bool needs_turn(const described_operation& x) {
    return x.path.find("{turn_id}") != std::string::npos;
  }

  static bool needs_open_turn(const described_operation& x) {
    return x.path.ends_with("{turn_id}/calls");
  }

  /// Values of an agent for requests that are unusual but allowed.
  schema_values legal_of(const described_operation& x) {
    return {seed, settle_in("legal_" + x.id, needs_turn(x), needs_open_turn(x))};
  }
};

/// Wrong requests that were sent. They change nothing, so several may be in flight.
struct under_way {
  http::request asked;
  odd_body odd;
  std::shared_ptr<awaited_answer> back;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(openapi_requests, wrong_requests)

BOOST_AUTO_TEST_CASE(the_document_has_every_route_and_what_is_beside_them) {
  std::set<std::string> there;
  for (const auto& x : operations)
    there.insert(x.method + " " + x.path);
  BOOST_TEST(there.size() == operations.size());
  std::set<std::string> wanted{"GET /healthz", "GET /readyz", "GET /v1/agents",
    "GET /v1/agents/{agent}/events", "GET /v1/agents/{agent}/threads", "POST /rpc"};
  for (const auto& x : server::all_routes())
    wanted.insert(std::string{x.method} + " " + std::string{x.path});
  BOOST_TEST(wanted.size() > 30u);
  BOOST_TEST(there == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_the_document_allows_is_answered_as_it_says) {
  for (const auto& x : operations) {
    schema_values values{seed, settle_in("good_" + x.id, needs_turn(x), needs_open_turn(x))};
    size_t done = 0;
    for (auto i = 0; i < 25; ++i) {
      auto body = x.body.empty() ? std::string{} : to_text(values.any(x.body));
      auto asked = i == 0 ? usual(x, values) : request(x, values, false, body);
      auto got = send(asked);
      check_described(x, asked, got);
      done += got.status < 300;
    }
    BOOST_TEST(done > 0u, x.id);
  }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_body_is_refused_by_name_and_changes_nothing) {
  size_t refused = 0, free = 0;
  for (const auto& x : operations) {
    if (x.body.empty() || x.id == "rpc")
      continue;
    auto legal = legal_of(x);
    auto whole = json::parse(usual(x, legal).body);
    json_schema_check as_read{document, json_schema_check::nulls::absent};
    std::vector<under_way> several;
    auto finish = [&] {
      for (const auto& one : several)
        check_refused(x, one.asked, one.back->get(), one.odd.at, one.odd.parent);
      check_unchanged(usual(x, wrong));
      several.clear();
    };
    for (auto& odd : odd_bodies(x.body, whole, legal)) {
      auto is_wrong = !as_read.violation(x.body, odd.body).empty();
      if (is_wrong && is_draft_of_several(x, odd)) {
        check_judged_by_itself(x, request(x, legal, true, to_text(odd.body)), odd);
        ++refused;
        continue;
      }
      auto asked = request(x, is_wrong ? wrong : legal, true, to_text(odd.body));
      ++(is_wrong ? refused : free);
      if (!is_wrong) {
        check(x, asked, odd.at, false, odd.parent);
        continue;
      }
      auto back = begin(asked);
      several.push_back({std::move(asked), std::move(odd), std::move(back)});
      if (several.size() == 32)
        finish();
    }
    finish();
  }
  BOOST_TEST_MESSAGE(refused << " wrong bodies, " << free << " odd ones");
  BOOST_TEST(refused > 100u);
  BOOST_TEST(free > 0u);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_query_string_is_refused_by_name_and_changes_nothing) {
  size_t tried = 0;
  for (const auto& x : operations) {
    if (x.id == "healthz" || x.id == "readyz") // probes ignore the query string
      continue;
    auto legal = legal_of(x);
    for (const auto& odd : odd_queries(x)) {
      auto asked = usual(x, odd.is_wrong ? wrong : legal);
      auto is_without = asked.query.empty() || asked.query.starts_with(odd.name + "=");
      asked.query = is_without ? odd.text : asked.query + "&" + odd.text;
      check(x, asked, odd.name, odd.is_wrong);
      ++tried;
    }
    check_unchanged(usual(x, wrong));
  }
  BOOST_TEST(tried > 0u);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_path_is_refused_by_name) {
  for (const auto& x : operations) {
    auto legal = legal_of(x);
    for (const auto& one : x.parameters) {
      if (one.in != "path")
        continue;
      auto put = [&](schema_values& values, const std::string& text) {
        auto there = x;
        there.path = replaced(x.path, "{" + one.name + "}", text);
        return usual(there, values);
      };
      for (const auto* garbage : {"%zz", "%", "%ff", "%c3%28", "%00"})
        check(x, put(wrong, garbage), "path", true);
      check(x, put(wrong, ""), one.name, true);
      for (const auto& text :
        {std::string{"no%20such%2fthing"}, std::string{".."}, std::string{"%f0%9f%94%a5"},
          std::string{"null"}, std::string(300, 'x'), std::string(70'000, 'x')})
        check(x, put(legal, text), "", false);
    }
    auto beyond = usual(x, wrong);
    for (auto i = 0; i < 5'000; ++i)
      beyond.path += "/x";
    check(x, beyond, "path", true);
    check_unchanged(usual(x, wrong));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_refused_and_changes_nothing) {
  size_t tried = 0;
  for (const auto& x : operations) {
    if (x.id == "rpc" || x.path.find("{agent}") == std::string::npos || x.id == "events")
      continue;
    for (const auto& body : unreadable_bodies()) {
      auto asked = usual(x, wrong);
      asked.body = body;
      check(x, asked, "body", true);
      ++tried;
    }
    auto form = usual(x, wrong);
    form.headers.push_back({"content-type", "text/plain"});
    if (form.body.empty())
      form.body = "{}";
    form.headers.erase(std::remove_if(form.headers.begin(), form.headers.end(),
                         [](const http::header& one) { return one.value == "application/json"; }),
      form.headers.end());
    auto got = send(form);
    BOOST_TEST(got.status == 415u, x.id);
    check_refused(x, form, got, "content-type");
    check_unchanged(usual(x, wrong));
  }
  BOOST_TEST(tried > 0u);
}

BOOST_AUTO_TEST_CASE(json_rpc_answers_what_it_cannot_read_with_errors_of_its_own) {
  size_t tried = 0;
  for (const auto& x : operations) {
    if (x.id != "rpc")
      continue;
    schema_values values{seed, settle_in("agent")};
    for (const auto& body : unreadable_bodies()) {
      auto asked = usual(x, values);
      asked.body = body;
      check_described(x, asked, send(asked));
      ++tried;
    }
  }
  BOOST_TEST(tried > 0u);
}

BOOST_AUTO_TEST_CASE(a_method_that_a_path_does_not_have_is_refused) {
  size_t refused = 0;
  for (const auto& x : operations) {
    for (const auto* method :
      {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", ""}) {
      auto asked = usual(x, wrong);
      asked.method = method;
      auto is_there = std::ranges::any_of(operations, [&](const described_operation& other) {
        return other.method == method && fits(other.path, asked.path);
      });
      if (is_there)
        continue;
      auto got = send(asked);
      BOOST_TEST(got.status == 405u, shown(asked));
      BOOST_TEST(header_of(got, "allow").find(x.method) != std::string::npos, shown(asked));
      check_refused(x, asked, got, "method");
      ++refused;
    }
    check_unchanged(usual(x, wrong));
  }
  BOOST_TEST(refused > 0u);
}

BOOST_AUTO_TEST_CASE(a_socket_is_answered_in_the_same_way) {
  auto server = require_value(
    http::server::start({}, [this](http::request x, const std::shared_ptr<http::exchange>& to) {
      service.handle(std::move(x), to);
    }));
  schema_values values{seed, settle_in("ada")};
  auto ask_for = [&](const std::string& head, const std::string& body = {}) {
    http_client client{server->port()};
    client.send(head + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + std::to_string(body.size()) + "\r\n\r\n" + body);
    auto got = client.read_answer();
    return http::response{
      static_cast<uint32_t>(got.status), {{"content-type", got.headers["content-type"]}}, got.body};
  };
  const auto& x =
    *std::ranges::find(operations, "query_observations_get", &described_operation::id);
  auto check = [&](const http::response& got, uint32_t status, const std::string& field) {
    BOOST_TEST(got.status == status);
    check_described(x, {}, got);
    BOOST_TEST(field_of_refusal(got) == field);
  };
  const std::string at = "/v1/agents/ada/observations";
  check_described(x, {}, ask_for("GET " + at));
  check(ask_for("GET " + at + "?limit=0"), 400, "limit");
  check(ask_for("GET " + at + "?status=odd"), 400, "status[0]");
  check(ask_for("GET " + at + "?query=" + std::string(70'000, 'x')), 414, "target");
  check(ask_for("GET " + at + "?query=" + std::string(9'000, 'x')), 414, "target");
  check(ask_for("POST " + at, R"({"type": "alert"})"), 400, "content");
  check(ask_for("POST " + at, "{\"type\": \"\xff\"}"), 400, "body");
  check(ask_for("POST " + at, std::string(5u << 20, ' ')), 413, "body");
  check(ask_for("BREW " + at), 405, "method");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
