#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/tests/runtime/server/served_host.hpp"

/// The HTTP interface for clients in any language.

namespace scratchpage::test {

namespace {

/// Limits this process's descriptors and uses all but six: enough for a client, its connection
/// and what a connection needs.
struct few_descriptors {
  few_descriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before);
    auto next = ::dup(0);
    ::close(next);
    auto fewer = before;
    fewer.rlim_cur = static_cast<rlim_t>(next) + 64;
    end = next + 64 - 6;
    ::setrlimit(RLIMIT_NOFILE, &fewer);
    take_what_is_free();
  }

  few_descriptors(const few_descriptors&) = delete;
  few_descriptors& operator=(const few_descriptors&) = delete;

  ~few_descriptors() {
    for (auto x : taken)
      ::close(x);
    ::setrlimit(RLIMIT_NOFILE, &before);
  }

  void take_what_is_free() {
    auto next = ::dup(0);
    for (; next >= 0 && next < end; next = ::dup(0))
      taken.push_back(next);
    if (next >= 0)
      ::close(next);
  }

  rlimit before{};
  int end = 0;
  std::vector<int> taken;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_services, served_host)

BOOST_AUTO_TEST_CASE(an_observation_is_added_found_changed_and_archived) {
  auto added = post("/v1/agents/ada/observations", smoke);
  BOOST_TEST(added.status == 201);
  std::string id{json::parse(added.body).at("observation_id").as_string()};
  auto at = "/v1/agents/ada/observations/" + id;
  BOOST_TEST(ask("GET", at).status == 200);
  auto found = json::parse(ask("GET", "/v1/agents/ada/observations?tags=fire&query=smoke").body);
  BOOST_TEST(found.at("total_count").to_number<int>() == 1);
  auto changed = ask("PATCH", at, R"({"changes": {"status": "resolved"}})");
  BOOST_TEST(json::parse(changed.body).at("status").as_string() == "resolved");
  BOOST_TEST(ask("DELETE", at).status == 204);
  auto gone = ask("GET", at);
  BOOST_TEST(gone.status == 404);
  BOOST_TEST(field_of_error(gone) == "observation_id");
}

BOOST_AUTO_TEST_CASE(who_is_no_longer_admitted_hears_no_more) {
  agent("ada");
  auto open = listen("");
  service.revalidate_streams();
  post("/v1/agents/ada/observations", smoke);
  BOOST_TEST(
    events(open, 1) == std::vector<std::string>{"added 1-1"}, boost::test_tools::per_element());
  door.is_shut = true; // a token was revoked
  service.revalidate_streams();
  while (!open.read_chunk().empty()) {
  }
  BOOST_TEST(post("/v1/agents/ada/observations", smoke).status == 401);
}

BOOST_AUTO_TEST_CASE(what_is_refused_says_which_field_and_with_which_status) {
  agent("ada");
  auto check = [&](const http_answer& x, int status, std::string_view field) {
    BOOST_TEST(x.status == status, x.body);
    BOOST_TEST(field_of_error(x) == field, x.body);
  };
  check(post("/v1/agents/ada/observations", R"({"type": "alert"})"), 400, "content");
  check(post("/v1/agents/ada/observations", R"({"type": "odd", "content": "x"})"), 400, "type");
  check(ask("GET", "/v1/agents/bob/observations"), 404, "agent");
  check(ask("GET", "/v1/agents/ada/observations?limit=1001"), 400, "limit");
  check(ask("PATCH", "/v1/agents/ada/goals/g1", R"({"progress": 0.5})"), 404, "goal_id");
  check(ask("DELETE", "/v1/agents/ada/events"), 405, "method");
  check(ask("GET", "/v1/agents/ada/events?from=yesterday"), 400, "from");
  check(ask("GET", "/v1/agents/ada/events?colour=red"), 400, "colour");
  check(ask("GET", "/rpc"), 405, "method");
  check(ask("POST", "/healthz"), 405, "method");
  check(ask("GET", "/v1/agents/ada/observations?status=odd"), 400, "status[0]");
  check(ask("GET", "/v1/agents/ada/stats?colour=red"), 400, "colour");
  check(ask("GET", "/v1/agents/ada/stats", R"({"colour": "red"})"), 400, "body");
  check(ask("GET", "/v1/agents/ada/events?from=now&from=0-0"), 400, "from");
  check(ask("GET", "/v1/agents//events"), 400, "agent");
  check(
    post("/rpc?agnet=ada", R"({"jsonrpc": "2.0", "id": 1, "method": "goals_list"})"), 400, "agnet");
  check(post("/v1/agents/ada/observations", R"({"": 1})"), 400, R"("")");
  check(ask("POST", "/v1/agents/ada/types", R"({"type": "odd"})"), 403, "by.role");
}

BOOST_AUTO_TEST_CASE(a_turn_tells_what_was_done_in_it) {
  auto turn = post("/v1/agents/ada/turns", R"({"input": "How is it?"})");
  std::string id{json::parse(turn.body).at("turn_id").as_string()};
  auto at = "/v1/agents/ada/turns/" + id + "/trace";
  auto whole = json::parse(ask("GET", at).body);
  auto total = whole.at("total_count").to_number<size_t>();
  BOOST_TEST(total > 2u);
  BOOST_TEST(whole.at("entries").as_array().size() == total);
  for (const auto& x : whole.at("entries").as_array())
    BOOST_TEST(x.at("turn_id").as_string() == id);
  auto first = json::parse(ask("GET", at + "?limit=2").body);
  std::string cursor{first.at("next_cursor").as_string()};
  auto rest = json::parse(ask("GET", at + "?cursor=" + cursor).body);
  BOOST_TEST(first.at("entries").as_array().size() == 2u);
  BOOST_TEST(rest.at("entries").as_array().size() == total - 2);
  BOOST_TEST(rest.at("entries").at(0) == whole.at("entries").at(2));
  auto unknown = ask("GET", "/v1/agents/ada/turns/turn_7/trace");
  BOOST_TEST(unknown.status == 404);
  BOOST_TEST(field_of_error(unknown) == "turn_id");
  BOOST_TEST(field_of_error(ask("GET", at + "?cursor=soon")) == "cursor");
  BOOST_TEST(field_of_error(ask("GET", at + "?turn_id=turn_8")) == "turn_id");
}

BOOST_AUTO_TEST_CASE(who_has_no_connections_left_is_not_ready) {
  http::server_stats stats;
  stats.max_connections = 10;
  service.count_with([&] { return stats; });
  stats.connections = 9;
  BOOST_TEST(ask("GET", "/readyz").status == 200);
  stats.connections = 10;
  auto unready = ask("GET", "/readyz");
  BOOST_TEST(unready.status == 503);
  BOOST_TEST(field_of_error(unready) == "connections");
  stats.connections = 0;
  few_descriptors few;
  unready = ask("GET", "/readyz");
  // Connections that close only now can leave room once.
  for (auto again = 0; again < 10 && unready.status == 200; ++again) {
    few.take_what_is_free();
    unready = ask("GET", "/readyz");
  }
  BOOST_TEST(field_of_error(unready) == "descriptors");
}

BOOST_AUTO_TEST_CASE(agents_are_listed_once_they_are_there) {
  BOOST_TEST(ask("GET", "/v1/agents").body == R"({"agents":[]})");
  post("/v1/agents/ada/observations", smoke);
  BOOST_TEST(ask("GET", "/v1/agents").body == R"({"agents":["ada"]})");
}

BOOST_AUTO_TEST_CASE(a_caller_may_say_who_it_is_but_not_more_than_anybody_may_be) {
  agent("ada");
  auto as = [&](const std::string& caller) {
    return ask("POST", "/v1/agents/ada/observations", smoke,
      "Content-Type: application/json\r\nScratchpage-Caller: " + caller + "\r\n");
  };
  auto added = as(R"({"role": "tool", "kind": "tool", "name": "sensor"})");
  BOOST_TEST(json::parse(added.body).at("source").at("tool").as_string() == "sensor");
  BOOST_TEST(as(R"({"role": "admin", "kind": "user", "name": "root"})").status == 403);
  BOOST_TEST(as("me").status == 400);
}

BOOST_AUTO_TEST_CASE(json_rpc_is_answered_with_batches_and_not_for_notifications) {
  auto answered = post("/rpc?agent=ada", R"([
    {"jsonrpc": "2.0", "id": 1, "method": "add_observation",
     "params": {"type": "alert", "content": "Smoke"}},
    {"jsonrpc": "2.0", "method": "add_observation", "params": {"type": "alert", "content": "Fire"}}])");
  BOOST_TEST(json::parse(answered.body).as_array().size() == 1u);
  auto silent = post("/rpc?agent=ada", R"({"jsonrpc": "2.0", "method": "goals_list"})");
  BOOST_TEST(silent.status == 204);
  BOOST_TEST(silent.body == "");
}

BOOST_AUTO_TEST_CASE(events_come_as_they_happen_and_from_where_somebody_was) {
  post("/v1/agents/ada/observations", smoke);
  auto listener = listen("?from=0-0");
  BOOST_TEST(events(listener, 1) == std::vector<std::string>{"added 1-1"});
  post("/v1/agents/ada/observations", smoke);
  BOOST_TEST(events(listener, 1) == std::vector<std::string>{"added 1-2"});
  listener.close();
  post("/v1/agents/ada/observations", smoke);
  auto again = listen("", "Last-Event-ID: 1-1\r\n");
  BOOST_TEST((events(again, 2) == std::vector<std::string>{"added 1-2", "added 1-3"}));
}

BOOST_AUTO_TEST_CASE(events_come_by_a_filter) {
  agent("ada");
  auto listener = listen("?from=0-0&tags=water");
  post("/v1/agents/ada/observations", smoke);
  post(
    "/v1/agents/ada/observations", R"({"type": "alert", "content": "Flood", "tags": ["water"]})");
  BOOST_TEST(events(listener, 1) == std::vector<std::string>{"added 1-2"});
}

BOOST_AUTO_TEST_CASE(a_websocket_takes_calls_and_tells_of_events) {
  agent("ada");
  client::endpoint to;
  to.port = std::to_string(server->port());
  to.target = "/rpc?agent=ada";
  std::promise<json::object> told;
  auto link = require_value(client::link::open(to, std::chrono::seconds{10},
    {[&](const std::string& method, json::object params) {
       BOOST_TEST(method == "event");
       told.set_value(std::move(params));
     },
      {}}));
  auto call = [&](const std::string& method, json::object params) {
    std::promise<caf::expected<json::value>> answered;
    link->call(method, std::move(params),
      [&](caf::expected<json::value> x) { answered.set_value(std::move(x)); });
    return answered.get_future().get();
  };
  auto subscribed = require_value(call("subscribe", {{"tags", "fire"}}));
  BOOST_TEST(subscribed.at("subscription").to_number<int>() == 1);
  require_value(
    call("add_observation", {{"type", "alert"}, {"content", "Smoke"}, {"tags", {"fire"}}}));
  auto event = told.get_future().get();
  BOOST_TEST(event.at("kind").as_string() == "added");
  BOOST_TEST(event.at("id").as_string() == "1-1");
  BOOST_TEST(event.at("observation").at("content").as_string() == "Smoke");
  BOOST_TEST(bool{call("unsubscribe", {{"subscription", 1}})});
  BOOST_TEST(!call("unsubscribe", {{"subscription", 1}}));
  BOOST_TEST(!call("subscribe", {{"colour", "red"}}));
}

BOOST_AUTO_TEST_CASE(a_subscription_is_confirmed_before_its_first_event_with_its_place) {
  post("/v1/agents/ada/observations", smoke);
  client::endpoint to;
  to.port = std::to_string(server->port());
  to.target = "/rpc?agent=ada";
  std::promise<std::string> answered;
  std::promise<bool> told;
  auto is_answered = false, is_told = false; // both are set on the link's thread
  auto link = require_value(client::link::open(to, std::chrono::seconds{10},
    {[&](const std::string&, const json::object&) {
       if (!std::exchange(is_told, true))
         told.set_value(is_answered);
     },
      {}}));
  link->call("subscribe", {{"from", "0-0"}}, [&](const caf::expected<json::value>& x) {
    is_answered = true;
    answered.set_value(x ? std::string{x->at("from").as_string()} : describe(x.error()));
  });
  BOOST_TEST(answered.get_future().get() == "1-0");
  BOOST_TEST(told.get_future().get());
}

BOOST_AUTO_TEST_CASE(who_is_about_to_end_is_not_ready) {
  BOOST_TEST(ask("GET", "/healthz").status == 200);
  BOOST_TEST(ask("GET", "/readyz").status == 200);
  service.begin_to_end();
  auto unready = ask("GET", "/readyz");
  BOOST_TEST(unready.status == 503);
  BOOST_TEST(unready.headers["retry-after"] == "1");
  BOOST_TEST(ask("GET", "/healthz").status == 200);
}

BOOST_AUTO_TEST_CASE(metrics_tell_of_open_agents_operations_and_answers) {
  service.count_with(server->stats());
  post("/v1/agents/ada/observations", smoke);
  ask("GET", "/v1/agents/ada/observations/nothing");
  auto told = ask("GET", "/metrics");
  BOOST_TEST(told.status == 200);
  BOOST_TEST(told.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8");
  auto has = [&](const std::string& line) {
    return ("\n" + told.body).find("\n" + line + "\n") != std::string::npos;
  };
  BOOST_TEST(has(R"(scratchpage_up{agent="ada"} 1)"));
  BOOST_TEST(has(R"(scratchpage_changes_total{agent="ada"} 1)"));
  BOOST_TEST(has(R"(scratchpage_live_observations{agent="ada"} 1)"));
  BOOST_TEST(has(R"(scratchpage_subscriber_lag_max_changes{agent="ada"} 0)"));
  BOOST_TEST(has(R"(scratchpage_operations_total{operation="add_observation",outcome="ok"} 1)"));
  BOOST_TEST(has(R"(scratchpage_http_responses_total{status="2xx"} 1)"));
  BOOST_TEST(has(R"(scratchpage_http_responses_total{status="4xx"} 1)"));
  BOOST_TEST(has("scratchpage_http_connections 1"));
  BOOST_TEST(has("scratchpage_journal_consecutive_failures 0"));
}

BOOST_AUTO_TEST_CASE(metrics_are_for_who_is_admitted_and_take_nothing) {
  auto refused = ask("GET", "/metrics?agent=ada");
  BOOST_TEST(refused.status == 400);
  BOOST_TEST(field_of_error(refused) == "agent");
  BOOST_TEST(ask("POST", "/metrics", "").status == 405);
  door.is_shut = true;
  BOOST_TEST(ask("GET", "/metrics").status == 401);
}

BOOST_AUTO_TEST_CASE(a_turn_takes_the_trace_of_its_asker_unless_it_is_none) {
  agent("ada");
  auto traced = [&](const std::string& header) {
    auto turn = ask("POST", "/v1/agents/ada/turns", R"({"input": "x"})",
      "Content-Type: application/json\r\ntraceparent: " + header + "\r\n");
    BOOST_TEST(turn.status == 200);
    auto id = std::string{json::parse(turn.body).at("turn_id").as_string()};
    auto entries = json::parse(ask("GET", "/v1/agents/ada/turns/" + id + "/trace").body);
    const auto* found =
      entries.at("entries").at(0).at("detail").as_object().if_contains("traceparent");
    return found == nullptr ? std::string{} : std::string{found->get_string()};
  };
  const std::string asker = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  BOOST_TEST(traced(asker) == asker);
  BOOST_TEST(traced("nonsense") == "");
}

BOOST_AUTO_TEST_CASE(the_openapi_document_is_served) {
  auto document = json::parse(ask("GET", "/openapi.json").body);
  BOOST_TEST(document.at("info").at("title").as_string() == "Scratchpage");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
