#include "scratchpage/runtime/telemetry/telemetry_config.hpp"

#include <map>
#include <string>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"

/// The address of the collector: from the configuration, or OpenTelemetry's environment variables.

namespace scratchpage::test {

using telemetry::telemetry_config;

namespace {

using variables = std::map<std::string, std::string>;

caf::error take(telemetry_config& x, const variables& all) {
  return telemetry::take_variables(x, [&](const std::string& name) {
    auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional{found->second};
  });
}

} // namespace

BOOST_AUTO_TEST_SUITE(telemetry_configuration)

BOOST_AUTO_TEST_CASE(variables_fill_in_what_is_not_set) {
  telemetry_config x;
  BOOST_TEST(!take(
    x, {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318"},
         {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=s=1,x=2"}, {"OTEL_SERVICE_NAME", "travel"}}));
  BOOST_TEST(x.otlp_endpoint == "http://collector:4318");
  BOOST_TEST(x.service_name == "travel");
  BOOST_TEST(x.otlp_headers["api-key"] == "s=1");
  BOOST_TEST(x.otlp_headers["x"] == "2");
  BOOST_TEST(!take(x, {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://other:4318"},
                        {"OTEL_EXPORTER_OTLP_HEADERS", "y=3"}, {"OTEL_SERVICE_NAME", "other"}}));
  BOOST_TEST(x.otlp_endpoint == "http://collector:4318");
  BOOST_TEST(x.service_name == "travel");
  BOOST_TEST(x.otlp_headers.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_variable_that_cannot_be_read_is_named_without_what_it_says) {
  telemetry_config x;
  auto refused = take(x, {{"OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"}});
  BOOST_TEST(field_of(refused) == "OTEL_EXPORTER_OTLP_ENDPOINT");
  refused = take(x, {{"OTEL_EXPORTER_OTLP_HEADERS", "hunter2"}});
  BOOST_TEST(field_of(refused) == "OTEL_EXPORTER_OTLP_HEADERS");
  BOOST_TEST(describe(refused).find("hunter2") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_is_named) {
  auto field = [](auto change) {
    telemetry_config x;
    change(x);
    auto err = validate(x, "telemetry");
    return err ? field_of(err) : std::string{};
  };
  BOOST_TEST(field([](telemetry_config&) {}) == "");
  BOOST_TEST(
    field([](telemetry_config& x) { x.otlp_endpoint = "nowhere"; }) == "telemetry.otlp_endpoint");
  BOOST_TEST(field([](telemetry_config& x) { x.max_waiting = 0; }) == "telemetry.max_waiting");
  BOOST_TEST(field([](telemetry_config& x) { x.in_turns_per_second = 2e6; })
             == "telemetry.in_turns_per_second");
  BOOST_TEST(field([](telemetry_config& x) { x.outside_turns_per_second = -1; })
             == "telemetry.outside_turns_per_second");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
