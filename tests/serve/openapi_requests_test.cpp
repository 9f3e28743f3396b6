#include "scratchpage/tests/serve/hosted.hpp"

#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/runtime/http/server.hpp"
#include "scratchpage/runtime/http/target.hpp"
#include "scratchpage/runtime/serve/openapi.hpp"
#include "scratchpage/runtime/serve/service.hpp"
#include "scratchpage/tests/serve/awaited_answer.hpp"
#include "scratchpage/tests/serve/broken_requests.hpp"
#include "scratchpage/tests/support/http_client.hpp"
#include "scratchpage/tests/support/json_schema_check.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// The service held against its own OpenAPI document: whatever the document allows is
/// answered as it says, whatever it does not is refused by name and changes nothing, and
/// nothing at all is an error of the server's.

namespace scratchpage::test {

namespace {

constexpr uint64_t seed = 20'251'105;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  auto at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// A request for people, not too long.
std::string shown(const http::request& x) {
  auto text = x.method + " " + x.path + (x.query.empty() ? "" : "?") + x.query + " " + x.body;
  return text.size() < 400 ? text : text.substr(0, 400) + "…";
}

struct documented_service : hosted {
  serve::open_door door{role::admin};
  serve::service service{*host, door};
  const json::value document = serve::openapi_document();
  const std::vector<described_operation> operations = operations_of(document);
  size_t requests = 0;

  ~documented_service() { BOOST_TEST_MESSAGE(requests << " requests, seed " << seed); }

  http::response send(const http::request& x) {
    ++requests;
    auto back = std::make_shared<awaited_answer>();
    service.handle(x, back);
    return back->get();
  }

  // -- agents that have something of everything ----------------------------------------

  /// What an agent may be asked about. Turns take their time: only where one is needed.
  schema_values::known_values settle_in(const std::string& agent_id, bool with_turn = false) {
    auto add = [&](const char* content) {
      return call(agent_id, "add_observation", {{"type", "observation"}, {"content", content}})
        .at("observation_id");
    };
    json::value turn = "none";
    if (with_turn)
      turn = call(agent_id, "begin_turn", {{"input", "How is it?"}}).at("turn_id");
    auto first = add("Smoke");
    auto resolved = add("Smoke is gone");
    call(agent_id, "update_observation",
      {{"observation_id", resolved}, {"changes", {{"status", "resolved"}}}});
    call(agent_id, "scratch_add", {{"kind", "task"}, {"title", "Look after it"}});
    require_value(add_goal(agent_id));
    BOOST_REQUIRE(!host->settle());
    schema_values::known_values result{{"thread", {"main"}}, {"goal_id", {"g1"}},
      {"action_id", {"a1"}}, {"id", {"s1"}}, {"type", {"observation", "alert"}}, {"cursor", {""}},
      {"from", {"now", "0-0"}}, {"expected_revision", {1}}, {"kind", {"task"}},
      {"thread_id", {"main"}}, {"mode", {"sequential"}}, {"deadline_ms", {0, 10'000}}};
    result["agent"].push_back(json::value(agent_id));
    result["observation_id"].push_back(first);
    result["observation_ids"].push_back(json::array(1, resolved));
    result["turn_id"].push_back(turn);
    result["plan"].push_back(json::array{});
    return result;
  }

  caf::expected<goal> add_goal(const std::string& agent_id) {
    goal draft;
    draft.goal_id = "g1";
    draft.goal_type = "watch";
    draft.pending_actions.push_back({"a1", "look"});
    caf::scoped_actor self{host->system()};
    caf::expected<goal> result{caf::error{}};
    ask(self.ptr(), agent(agent_id)->cortex, std::chrono::minutes{1}, create_goal{by, draft})
      .receive(
        [&](goal& x) { result = std::move(x); }, [&](const caf::error& err) { result = err; });
    return result;
  }

  uint64_t sequence(const std::string& agent_id) {
    http::request x;
    x.method = "GET";
    x.path = "/v1/agents/" + agent_id + "/stats";
    x.headers = {{"host", "localhost"}};
    return json::parse(send(x).body).at("sequence").to_number<uint64_t>();
  }

  // -- requests -------------------------------------------------------------------------

  http::request request(
    const described_operation& x, schema_values& values, bool least, std::string body = {}) {
    http::request result;
    result.method = x.method;
    result.path = x.path;
    result.headers = {{"host", "localhost"},
      {"scratchpage-caller", R"({"role": "admin", "kind": "user", "name": "ann"})"}};
    for (const auto& one : x.parameters) {
      if (one.in == "path")
        result.path = replaced(result.path, "{" + one.name + "}", as_text(values, one));
      else if (one.in == "query" && !least && values.draw().percent(30))
        result.query += (result.query.empty() ? "" : "&") + as_parameter(values, one);
    }
    if (!x.body.empty()) {
      result.headers.push_back({"content-type", "application/json"});
      result.body = std::move(body);
    }
    return result;
  }

  static std::string as_text(schema_values& values, const described_parameter& x) {
    auto value = values.any(x.schema, x.name);
    return http::percent_encode(
      value.is_string() ? std::string{value.get_string()} : to_text(value));
  }

  /// A list of several is the parameter several times.
  static std::string as_parameter(schema_values& values, const described_parameter& x) {
    auto value = values.any(x.schema, x.name);
    if (!value.is_array())
      return x.name + "="
             + http::percent_encode(
               value.is_string() ? std::string{value.get_string()} : to_text(value));
    std::string result;
    for (const auto& one : value.get_array())
      result += (result.empty() ? "" : "&") + x.name + "="
                + http::percent_encode(std::string{one.as_string()});
    return result;
  }

  /// A request that is done.
  http::request usual(const described_operation& x, schema_values& values) {
    auto body = x.body.empty() ? std::string{} : to_text(values.least(x.body));
    if (x.id == "rpc")
      body = R"({"jsonrpc": "2.0", "id": 1, "method": "goals_list"})";
    return request(x, values, true, body);
  }

  // -- answers --------------------------------------------------------------------------

  static std::string header_of(const http::response& x, std::string_view name) {
    for (const auto& one : x.headers)
      if (one.name == name)
        return one.value;
    return {};
  }

  /// Not the server's fault, and as the document says.
  void check_described(
    const described_operation& x, const http::request& asked, const http::response& got) {
    auto complain = [&](const std::string& what) {
      BOOST_ERROR(what << "\n  " << shown(asked) << "\n  " << got.status << " " << got.body);
    };
    if (got.status >= 500)
      return complain("an error of the server's");
    const auto* response = x.responses.if_contains(std::to_string(got.status));
    if (response == nullptr && got.status < 400)
      return complain("a status that the document does not have");
    if (response == nullptr)
      response = &document.at_pointer("/components/responses/refused");
    const auto* content = response->as_object().if_contains("content");
    if (content == nullptr)
      return got.body.empty() ? void() : complain("a body that the document does not have");
    auto type = header_of(got, "content-type");
    const auto* form = content->as_object().if_contains(type);
    if (form == nullptr)
      return complain("a content type that the document does not have");
    if (type != "application/json")
      return;
    auto problem = json_schema_check{document}.violation(form->at("schema"), json::parse(got.body));
    if (!problem.empty())
      complain("not as the document says: " + problem);
  }

  static std::string field_of_refusal(const http::response& x) {
    const json::value error = json::parse(x.body).at("error");
    const auto* field = error.as_object().if_contains("field");
    return field == nullptr ? std::string{} : std::string{field->as_string()};
  }

  /// Refused, and by name.
  void check_refused(const described_operation& x, const http::request& asked,
    const http::response& got, const std::string& at, const std::string& parent = {}) {
    check_described(x, asked, got);
    if (got.status < 400 || got.status >= 500)
      BOOST_ERROR("expected to be refused about " << at << "\n  " << shown(asked) << "\n  "
                                                  << got.status << " " << got.body);
    else
      check_named(asked, got, at, parent);
  }

  /// `at`: "" means that it may be about anything.
  static void check_named(const http::request& asked, const http::response& got,
    const std::string& at, const std::string& parent = {}) {
    auto field = field_of_refusal(got);
    if (field.empty() || (!names(field, at) && (parent.empty() || field != parent)))
      BOOST_ERROR("expected an error about " << at << "\n  " << shown(asked) << "\n  " << got.body);
  }

  /// `is_wrong`: must be refused; else it may be, by name.
  void check(const described_operation& x, const http::request& asked, const std::string& at,
    bool is_wrong, const std::string& parent = {}) {
    auto got = send(asked);
    if (is_wrong)
      return check_refused(x, asked, got, at, parent);
    check_described(x, asked, got);
    if (got.status >= 400 && got.status < 500 && !is_elsewhere(x, field_of_refusal(got), at))
      check_named(asked, got, at, parent);
  }

  /// What was allowed before may have taken away what the path names; and an action has
  /// to have a goal.
  static bool is_elsewhere(
    const described_operation& x, const std::string& field, const std::string& at) {
    return std::ranges::any_of(x.parameters, [&](const described_parameter& one) {
      return one.in == "path" && one.name == field;
    }) || (at == "action_id" && field == "goal_id");
  }
};

/// With an agent that is asked wrong things alone, so that it never changes.
struct wrong_requests : documented_service {
  schema_values wrong{seed, settle_in("wrong")};
  const uint64_t before = sequence("wrong");

  void check_unchanged(const http::request& asked) {
    if (sequence("wrong") != before)
      BOOST_FAIL("changed something: " << shown(asked) << ", or one of those before");
  }

  /// Values of an agent that is asked what is odd, but may be done.
  schema_values legal_of(const described_operation& x) {
    return {seed, settle_in("legal_" + x.id, x.id == "end_turn_get")};
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(openapi_requests, wrong_requests)

BOOST_AUTO_TEST_CASE(what_the_document_allows_is_answered_as_it_says) {
  for (const auto& x : operations) {
    schema_values values{seed, settle_in("good_" + x.id, x.id == "end_turn_get")};
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
    for (const auto& odd : odd_bodies(x.body, whole, legal)) {
      auto is_wrong = !as_read.violation(x.body, odd.body).empty();
      auto asked = request(x, is_wrong ? wrong : legal, true, to_text(odd.body));
      check(x, asked, odd.at, is_wrong, odd.parent);
      ++(is_wrong ? refused : free);
      if (is_wrong && refused % 16 == 0)
        check_unchanged(asked);
    }
    check_unchanged(usual(x, wrong));
  }
  BOOST_TEST_MESSAGE(refused << " wrong bodies, " << free << " odd ones");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_query_string_is_refused_by_name_and_changes_nothing) {
  for (const auto& x : operations) {
    if (x.id == "healthz" || x.id == "readyz") // probes add what they like
      continue;
    auto legal = legal_of(x);
    for (const auto& odd : odd_queries(x)) {
      auto asked = usual(x, odd.is_wrong ? wrong : legal);
      asked.query = odd.text;
      check(x, asked, odd.name, odd.is_wrong);
    }
    check_unchanged(usual(x, wrong));
  }
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
  for (const auto& x : operations) {
    if (x.id == "rpc" || x.path.find("{agent}") == std::string::npos || x.id == "events")
      continue;
    for (const auto& body : unreadable_bodies()) {
      auto asked = usual(x, wrong);
      asked.body = body;
      check(x, asked, "body", true);
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
}

BOOST_AUTO_TEST_CASE(json_rpc_answers_what_it_cannot_read_with_errors_of_its_own) {
  for (const auto& x : operations) {
    if (x.id != "rpc")
      continue;
    schema_values values{seed, settle_in("agent")};
    for (const auto& body : unreadable_bodies()) {
      auto asked = usual(x, values);
      asked.body = body;
      check_described(x, asked, send(asked));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_method_that_a_path_does_not_have_is_refused) {
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
    }
    check_unchanged(usual(x, wrong));
  }
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
