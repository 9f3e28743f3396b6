#include <limits>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"

namespace scratchpage::test {

namespace {

using telemetry::span;

json::value request_of(const std::vector<span>& spans) {
  return json::parse(telemetry::to_otlp_json(spans, "travel"));
}

json::value first_span(const span& x) {
  return request_of({x}).at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(an_export_request)

BOOST_AUTO_TEST_CASE(says_who_sends_it_and_holds_its_spans_in_order) {
  span one, two;
  one.name = "one";
  two.name = "two";
  auto all = request_of({one, two}).at("resourceSpans").at(0);
  BOOST_TEST(all.at("resource").at("attributes")
             == json::parse(R"([
    {"key": "service.name", "value": {"stringValue": "travel"}},
    {"key": "service.version", "value": {"stringValue": ")"
                            + std::string{version} + R"("}},
    {"key": "telemetry.sdk.language", "value": {"stringValue": "cpp"}},
    {"key": "telemetry.sdk.name", "value": {"stringValue": "scratchpage"}}])"));
  auto spans = all.at("scopeSpans").at(0).at("spans").as_array();
  BOOST_REQUIRE(spans.size() == 2u);
  BOOST_TEST(spans[0].at("name") == "one");
  BOOST_TEST(spans[1].at("name") == "two");
}

BOOST_AUTO_TEST_CASE(may_be_empty) {
  BOOST_TEST(
    request_of({}).at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array().empty());
}

BOOST_AUTO_TEST_CASE(writes_a_span_as_the_schema_has_it) {
  span x;
  x.trace_id = std::string(32, 'a');
  x.span_id = std::string(16, 'b');
  x.parent_id = std::string(16, 'c');
  x.name = "execute_tool \"quoted\"\n";
  x.is_server = true;
  x.began = timestamp{std::chrono::milliseconds{1'700'000'000'000}};
  x.ended = x.began + std::chrono::milliseconds{2};
  x.error = "timeout";
  x.attributes = {{"a", std::string{"</script>\x01"}}, {"b", int64_t{-3}}, {"c", 0.5}, {"d", true}};
  BOOST_TEST(first_span(x) == json::parse(R"({
    "kind": 2, "traceId": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "spanId": "bbbbbbbbbbbbbbbb",
    "parentSpanId": "cccccccccccccccc", "name": "execute_tool \"quoted\"\n",
    "startTimeUnixNano": "1700000000000000000", "endTimeUnixNano": "1700000000002000000",
    "attributes": [{"key": "a", "value": {"stringValue": "</script>\u0001"}},
      {"key": "b", "value": {"intValue": "-3"}}, {"key": "c", "value": {"doubleValue": 0.5}},
      {"key": "d", "value": {"boolValue": true}}],
    "status": {"code": 2, "message": "timeout"}})"));
}

BOOST_AUTO_TEST_CASE(leaves_out_what_a_span_does_not_have) {
  auto x = first_span({}).as_object();
  BOOST_TEST(x.at("kind") == 1);
  BOOST_TEST(!x.contains("parentSpanId"));
  BOOST_TEST(!x.contains("status"));
  BOOST_TEST(x.at("attributes").as_array().empty());
}

BOOST_AUTO_TEST_CASE(is_json_whatever_a_number_is) {
  span x;
  x.attributes = {{"n", std::numeric_limits<double>::quiet_NaN()}};
  BOOST_TEST(first_span(x).at("attributes").at(0).at("value").at("doubleValue").is_null());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
