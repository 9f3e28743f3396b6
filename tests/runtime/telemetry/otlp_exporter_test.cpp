#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"

#include <atomic>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/tests/runtime/net/http/served.hpp"

/// The export of spans to a collector.

namespace scratchpage::test {

using telemetry::otlp_exporter;

namespace {

/// A collector that answers with these statuses in turn, and repeats the last.
struct collector {
  explicit collector(std::vector<uint32_t> statuses = {200})
    : statuses_{std::move(statuses)} {}

  awaited<http::request> requests;
  std::atomic<size_t> count = 0;
  std::unique_ptr<http::server> server = serve([this](http::request x, const exchange_ptr& back) {
    auto at = std::min(count++, statuses_.size() - 1);
    back->respond({statuses_[at], {{"content-type", "application/json"}}, "{}"});
    requests.set(std::move(x));
  });

  telemetry::telemetry_config config(const std::string& path = {}) const {
    telemetry::telemetry_config result;
    result.otlp_endpoint = "http://127.0.0.1:" + std::to_string(server->port()) + path;
    return result;
  }

private:
  std::vector<uint32_t> statuses_;
};

trace_entry entry(std::string turn_id) {
  trace_entry x;
  x.id = 5;
  x.at = timestamp{std::chrono::seconds{1'700'000'000}};
  x.duration_ms = 2;
  x.agent_id = "ada";
  x.turn_id = std::move(turn_id);
  x.component = "tools";
  x.operation = "call_tool";
  x.status = "timeout";
  x.detail = {{"tool_id", "weather_api"}, {"attempt", 2}};
  return x;
}

json::array spans_of(const http::request& x) {
  auto scopes = json::parse(x.body).at("resourceSpans").at(0).at("scopeSpans");
  return scopes.at(0).at("spans").as_array();
}

std::string metrics_of(const otlp_exporter& x) {
  telemetry::metrics_text text;
  x.write_metrics(text);
  return text.take();
}

bool has_line(const std::string& text, const std::string& line) {
  return text.find(line + "\n") != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(an_exporter)

BOOST_AUTO_TEST_CASE(sends_spans_as_the_schema_has_them) {
  collector to;
  auto config = to.config();
  config.service_name = "travel";
  config.otlp_headers["api-key"] = "k";
  {
    otlp_exporter exporter{config, 7};
    exporter.offer(entry("turn_1"));
  }
  auto got = to.requests.get();
  BOOST_TEST(got.method == "POST");
  BOOST_TEST(got.path == "/v1/traces");
  BOOST_TEST(*got.header("content-type") == "application/json");
  BOOST_TEST(*got.header("api-key") == "k");
  auto resource = json::parse(got.body).at("resourceSpans").at(0).at("resource");
  BOOST_TEST(resource.at("attributes").at(0).at("value").at("stringValue").as_string() == "travel");
  auto spans = spans_of(got);
  BOOST_REQUIRE(spans.size() == 1u);
  const auto& span = spans[0].as_object();
  BOOST_TEST(span.at("name").as_string() == "execute_tool weather_api");
  BOOST_TEST(span.at("traceId").as_string().size() == 32u);
  BOOST_TEST(span.at("endTimeUnixNano").as_string() == "1700000000000000000");
  BOOST_TEST(span.at("startTimeUnixNano").as_string() == "1699999999998000000");
  BOOST_TEST(span.at("status").at("code").to_number<int>() == 2);
  BOOST_TEST(!span.contains("parentSpanId"));
}

BOOST_AUTO_TEST_CASE(tells_calls_of_tools_the_trace_of_their_turn_from_its_beginning_on) {
  collector to;
  otlp_exporter exporter{to.config(), 7};
  auto begun = entry("turn_1");
  begun.component = "turns";
  begun.operation = "begin_turn";
  begun.status = "success";
  begun.detail = {{"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}};
  exporter.offer(begun);
  exporter.offer(entry("turn_1"));
  auto told = exporter.traceparent_of("ada", "turn_1", 5);
  BOOST_TEST(told.starts_with("00-0af7651916cd43dd8448eb211c80319c-"));
  auto span = spans_of(to.requests.get()).at(0).as_object();
  BOOST_TEST(span.at("traceId").as_string() == told.substr(3, 32));
  BOOST_TEST(span.at("spanId").as_string() == told.substr(36, 16)); // the span of entry 5
  BOOST_TEST(exporter.traceparent_of("bob", "turn_1", 5).substr(3, 32) != told.substr(3, 32));
}

BOOST_AUTO_TEST_CASE(ends_though_its_collector_does_not_answer) {
  awaited<exchange_ptr> asked;
  awaited<bool> gone;
  auto server = serve([&](const http::request&, const exchange_ptr& back) {
    back->on_gone([&] { gone.set(true); });
    asked.set(exchange_ptr{back});
  });
  telemetry::telemetry_config config;
  config.otlp_endpoint = "http://127.0.0.1:" + std::to_string(server->port());
  exchange_ptr unanswered;
  {
    otlp_exporter exporter{config, 7};
    exporter.offer(entry("turn_1"));
    unanswered = asked.get();
  }
  BOOST_TEST(gone.get());
}

BOOST_AUTO_TEST_CASE(adds_the_path_to_an_endpoint_that_lacks_it) {
  for (const auto* path : {"", "/", "/otlp", "/otlp/v1/traces"}) {
    collector to;
    { otlp_exporter{to.config(path), 7}.offer(entry("turn_1")); }
    auto base = std::string{path}.starts_with("/otlp") ? "/otlp" : "";
    BOOST_TEST(to.requests.get().path == base + std::string{"/v1/traces"});
  }
}

BOOST_AUTO_TEST_CASE(tries_again_when_a_collector_has_no_time_and_not_when_it_does_not_want) {
  collector busy{{503, 200}};
  otlp_exporter exporter{busy.config(), 7};
  exporter.offer(entry("turn_1"));
  auto first = busy.requests.get();
  auto again = busy.requests.get();
  BOOST_TEST(first.body == again.body);

  collector refusing{{400}};
  otlp_exporter other{refusing.config(), 7};
  other.offer(entry("turn_1"));
  refusing.requests.get();
  other.offer(entry("turn_2"));
  refusing.requests.get();
  BOOST_TEST(refusing.count == 2u);
  auto told = metrics_of(other); // the second request may be counted already
  BOOST_TEST((has_line(told, "scratchpage_otlp_dropped_spans_total 1")
              || has_line(told, "scratchpage_otlp_dropped_spans_total 2")));
}

BOOST_AUTO_TEST_CASE(drops_what_is_too_much_and_counts_it) {
  collector to;
  auto config = to.config();
  config.max_waiting = 3;
  config.outside_turns_per_second = 1;
  otlp_exporter exporter{config, 7};
  for (int i = 0; i < 3; ++i)
    exporter.offer(entry("")); // one a second is exported
  for (int i = 0; i < 4; ++i)
    exporter.offer(entry("turn_1")); // two fit into the queue
  BOOST_TEST(has_line(metrics_of(exporter), "scratchpage_otlp_dropped_spans_total 4"));
  BOOST_TEST(spans_of(to.requests.get()).size() == 3u);
}

BOOST_AUTO_TEST_CASE(an_allowance_is_for_so_many_at_once_and_refills_with_time) {
  telemetry::token_bucket::time_point now{};
  telemetry::token_bucket some{10, 2, now};
  auto takes = [&] { return some.take(now); };
  BOOST_TEST((takes() && takes() && !takes()));
  now += std::chrono::milliseconds{50}; // enough for half an entry
  BOOST_TEST(!takes());
  now += std::chrono::milliseconds{50};
  BOOST_TEST((takes() && !takes()));
  now += std::chrono::hours{1};
  BOOST_TEST((takes() && takes() && !takes()));
  now -= std::chrono::minutes{1}; // another core's clock is behind
  BOOST_TEST(!takes());
  now += std::chrono::minutes{1} + std::chrono::milliseconds{50};
  BOOST_TEST(!takes());
  now += std::chrono::milliseconds{50};
  BOOST_TEST(takes());
}

BOOST_AUTO_TEST_CASE(a_turn_that_floods_has_a_rate_too) {
  collector to;
  auto config = to.config();
  config.max_waiting = 3;
  config.in_turns_per_second = 0;
  otlp_exporter exporter{config, 7};
  for (int i = 0; i < 3; ++i)
    exporter.offer(entry("turn_1"));
  BOOST_TEST(spans_of(to.requests.get()).size() == 3u); // the queue has room again
  exporter.offer(entry("turn_1"));
  BOOST_TEST(has_line(metrics_of(exporter), "scratchpage_otlp_dropped_spans_total 1"));
}

BOOST_AUTO_TEST_CASE(ends_soon_when_there_is_no_collector) {
  telemetry::telemetry_config config;
  {
    collector gone;
    config = gone.config();
  }
  auto began = std::chrono::steady_clock::now();
  {
    otlp_exporter exporter{config, 7};
    for (int i = 0; i < 5'000; ++i)
      exporter.offer(entry("turn_1"));
  }
  BOOST_TEST((std::chrono::steady_clock::now() - began < std::chrono::seconds{30}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
