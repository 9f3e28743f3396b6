#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;
using namespace std::chrono_literals;

namespace {

const recovery_policy& recovering() {
  static const recovery_policy result{default_config().recovery};
  return result;
}

tool_manifest weather_api() {
  auto manifest = tool("weather_api");
  manifest.idempotent = true;
  manifest.timeout_ms = 1000;
  manifest.alternatives = {"weather_cache", "almanac"};
  return manifest;
}

failure failed(tool_status status, std::string error = {}) {
  failure what;
  what.tool_id = "weather_api";
  what.status = status;
  what.error = std::move(error);
  return what;
}

std::string kind(std::string_view error) {
  return to_string(recovering().classify(tool_status::error, error));
}

} // namespace

BOOST_AUTO_TEST_SUITE(recoveries)

BOOST_AUTO_TEST_CASE(a_timeout_is_retried_with_a_longer_timeout) {
  auto manifest = weather_api();
  auto plan = recovering().decide(failed(tool_status::timeout), &manifest, 1);
  BOOST_TEST(to_string(plan.error_class) == "timeout");
  BOOST_TEST(to_string(plan.action) == "retry");
  BOOST_TEST(plan.description == "Retry weather_api with a longer timeout");
  BOOST_TEST(plan.timeout_ms == 2000.0);
  BOOST_TEST(plan.confidence == 0.85);
  BOOST_TEST((plan.backoff == 200ms));
}

BOOST_AUTO_TEST_CASE(each_retry_waits_longer_up_to_the_bounds) {
  auto config = default_config().recovery;
  config.max_attempts = 20;
  recovery_policy patient{config};
  auto manifest = weather_api();
  auto what = failed(tool_status::timeout);
  what.timeout_ms = 100'000;
  BOOST_TEST((patient.decide(what, &manifest, 3).backoff == 800ms));
  BOOST_TEST((patient.decide(what, &manifest, 19).backoff == 10s));
  BOOST_TEST(patient.decide(what, &manifest, 2).timeout_ms == 120'000.0);
}

BOOST_AUTO_TEST_CASE(after_three_attempts_comes_each_alternative_once) {
  auto manifest = weather_api();
  auto what = failed(tool_status::timeout);
  BOOST_TEST(to_string(recovering().decide(what, &manifest, 2).action) == "retry");
  auto first = recovering().decide(what, &manifest, 3);
  BOOST_TEST(first.alternative == "weather_cache");
  BOOST_TEST(first.description == "Use weather_cache instead of weather_api");
  what.tried = {"weather_api", "weather_cache"};
  BOOST_TEST(recovering().decide(what, &manifest, 3).alternative == "almanac");
  what.tried = {"weather_api", "weather_cache", "almanac"};
  auto last = recovering().decide(what, &manifest, 3);
  BOOST_TEST(to_string(last.action) == "fail_gracefully");
  BOOST_TEST(last.alternative.empty());
}

BOOST_AUTO_TEST_CASE(only_an_idempotent_tool_is_called_again) {
  auto manifest = weather_api();
  manifest.idempotent = false;
  manifest.alternatives.clear();
  auto what = failed(tool_status::timeout);
  BOOST_TEST(to_string(recovering().decide(what, &manifest, 1).action) == "fail_gracefully");
  BOOST_TEST(to_string(recovering().decide(what, nullptr, 1).action) == "fail_gracefully");
}

BOOST_AUTO_TEST_CASE(what_a_tool_did_give_is_a_partial_success) {
  auto manifest = tool("weather_api");
  auto what = failed(tool_status::partial, "two of five cities");
  BOOST_TEST(to_string(recovering().decide(what, &manifest, 1).action) == "partial");
  what = failed(tool_status::timeout);
  what.outputs = parse_object(R"({"error":"late","paris":15})");
  BOOST_TEST(to_string(recovering().decide(what, &manifest, 1).action) == "partial");
  for (auto outputs : {R"({"error":"late","exit_code":1})",
         R"({"title":"Late","status":504,"detail":"no answer","instance":"/weather"})"}) {
    what.outputs = parse_object(outputs);
    BOOST_TEST(to_string(recovering().decide(what, &manifest, 1).action) == "fail_gracefully");
  }
  what.outputs = parse_object(R"({"error":"late"})");
  BOOST_TEST(to_string(recovering().decide(what, &manifest, 1).action) == "fail_gracefully");
}

BOOST_AUTO_TEST_CASE(the_words_of_an_error_tell_its_class) {
  BOOST_TEST(kind("upstream timed out after 3 s") == "timeout");
  BOOST_TEST(kind("503 Service Unavailable") == "transient");
  BOOST_TEST(kind("Rate limited, try again later") == "transient");
  BOOST_TEST(kind("date must be in the future") == "invalid_input");
  BOOST_TEST(kind("Permission denied") == "permission");
  BOOST_TEST(kind("no such city") == "not_found");
  BOOST_TEST(kind("it broke") == "other");
  BOOST_TEST(kind("") == "other");
}

BOOST_AUTO_TEST_CASE(what_the_user_can_mend_goes_to_the_user) {
  auto manifest = weather_api();
  auto plan = recovering().decide(failed(tool_status::error, "Permission denied"), &manifest, 1);
  BOOST_TEST(to_string(plan.action) == "escalate");
  BOOST_TEST(to_string(plan.severity) == "high");
  BOOST_TEST(
    plan.description == "Ask the user for permission to use weather_api (Permission denied)");
}

BOOST_AUTO_TEST_CASE(wrong_inputs_are_for_the_user_to_mend) {
  auto manifest = tool("order_tickets");
  for (auto error : {"Error: date must be in the future", "Error: invalid amount",
         "Error: voucher cannot be used for this order", "Error: missing field: address"}) {
    auto plan = recovering().decide(failed(tool_status::error, error), &manifest, 1);
    BOOST_TEST(to_string(plan.error_class) == "invalid_input", error);
    BOOST_TEST(to_string(plan.action) == "escalate", error);
  }
}

BOOST_AUTO_TEST_CASE(a_plan_for_an_alert_that_names_no_tool_says_so) {
  auto what = failed(tool_status::error, "Permission denied");
  what.tool_id.clear();
  auto plan = recovering().decide(what, nullptr, 1);
  BOOST_TEST(plan.description
             == "Ask the user for permission to use the tool that failed (Permission denied)");
}

BOOST_AUTO_TEST_CASE(a_long_error_is_shortened_in_the_description) {
  auto plan = recovering().decide(failed(tool_status::error, std::string(5000, 'x')), nullptr, 1);
  BOOST_TEST(plan.description.size() < 300u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
