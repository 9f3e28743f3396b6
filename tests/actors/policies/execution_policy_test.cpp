#include <boost/test/unit_test.hpp>

#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

protected_access protected_by_default(const planned_call& what, const tool_manifest* manifest) {
  return protected_data_policy{default_config().protected_data}.assess(what, manifest);
}

} // namespace

BOOST_AUTO_TEST_SUITE(execution)

BOOST_AUTO_TEST_CASE(calls_run_in_parallel_only_when_urgency_is_high) {
  execution_policy policy{default_config().execution};
  BOOST_TEST(policy.parallel_limit(urgency::high) == 8u);
  BOOST_TEST(policy.parallel_limit(urgency::medium) == 1u);
}

BOOST_AUTO_TEST_CASE(verification_goes_first_while_a_confirmation_is_pending) {
  execution_policy policy{default_config().execution};
  auto pending = seen("obs_1", "pending_confirmation", "Confirm the e-mail address");
  BOOST_TEST(policy.verifies_first({observation_ptr{pending}}));
  pending.status = status::resolved;
  BOOST_TEST(!policy.verifies_first({observation_ptr{pending}}));
  auto tagged = tool("check");
  tagged.tags = {"verification"};
  BOOST_TEST(policy.is_verification(call("c", "check"), &tagged));
  BOOST_TEST(policy.is_verification(call("c", "verify_email"), nullptr));
  BOOST_TEST(!policy.is_verification(call("c", "book"), nullptr));
}

BOOST_AUTO_TEST_CASE(the_capture_threshold_ignores_the_least_confident) {
  auto config = default_config().execution;
  BOOST_TEST(execution_policy{config}.captures(0.0));
  config.capture_threshold = 0.5;
  BOOST_TEST(execution_policy{config}.captures(0.5));
  BOOST_TEST(!execution_policy{config}.captures(0.49));
  BOOST_TEST(execution_policy{config}.captures(std::nullopt));
}

namespace {

fact known(std::string statement, double confidence = 0.8) {
  fact x;
  x.fact_id = "fact_1";
  x.statement = std::move(statement);
  x.confidence = confidence;
  return x;
}

/// The tool to call and the timeout, or "" without advice.
std::string advised(const std::vector<fact>& facts) {
  auto weather = tool("Weather_api");
  weather.timeout_ms = 1'000;
  weather.alternatives = {"cache"};
  auto found = execution_policy{default_config().execution}.advice(weather, facts);
  if (!found)
    return "";
  return found->prefer + " " + std::to_string(static_cast<int>(found->timeout_ms));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_fact_asks_for_more_time_or_names_a_stand_in) {
  BOOST_TEST(advised({known("Weather_api sometimes times out, retry with a longer timeout helps")})
             == " 2000");
  BOOST_TEST(advised({known("weather_api needs more time")}) == " 2000");
  BOOST_TEST(
    advised({known("cache can stand in for Weather_api when that times out")}) == "cache 0");
  BOOST_TEST(advised({known("Use cache instead of weather_api")}) == "cache 0");
}

BOOST_AUTO_TEST_CASE(the_surest_fact_that_holds_decides) {
  auto over = known("cache can stand in for weather_api", 0.9);
  over.valid_until = timestamp{};
  auto slow = known("weather_api needs more time", 0.7);
  BOOST_TEST(advised({over, slow}) == " 2000");
  BOOST_TEST(advised({slow, known("cache can stand in for weather_api", 0.8)}) == "cache 0");
}

BOOST_AUTO_TEST_CASE(other_facts_change_no_call) {
  for (auto statement : {"weather_api often times out", "weather_api_2 needs more time",
         "A longer timeout does not help weather_api", "weather_api does not need more time",
         "other can stand in for weather_api", "cache can stand in for weather_api_2",
         "Do not use cache instead of weather_api", "The user needs more time"})
    BOOST_TEST(advised({known(statement)}) == "", statement);
  BOOST_TEST(advised({known("weather_api needs more time", 0.6)}) == "");
}

BOOST_AUTO_TEST_CASE(permissions_tags_and_inputs_tell_protected_data) {
  auto profile = tool("profile");
  profile.permissions = {"network", "user_data.read"};
  auto access = protected_by_default(call("c", "profile"), &profile);
  BOOST_TEST(access.touches);
  BOOST_TEST(listed(access.tags) == "user_data.read");
  BOOST_TEST(access.reasons[0] == "profile needs the permission user_data.read");
  auto log_in = call("c", "log_in");
  log_in.inputs = parse_object(R"({"name":"x","password":"y"})");
  BOOST_TEST(listed(protected_by_default(log_in, nullptr).tags) == "password");
}

BOOST_AUTO_TEST_CASE(tools_without_permissions_are_not_protected_by_default) {
  for (auto id : {"get_user_details", "book_reservation", "cancel_reservation", "think"}) {
    auto manifest = tool(id);
    auto what = call("c", id);
    what.inputs = parse_object(R"({"user_id":"mia","payment_methods":[{"amount":5}]})");
    BOOST_TEST(!protected_by_default(what, &manifest).touches, id);
  }
}

BOOST_AUTO_TEST_CASE(patterns_of_tool_ids_can_be_configured) {
  auto config = default_config().protected_data;
  config.tools = {"*_profile"};
  protected_data_policy policy{config};
  BOOST_TEST(policy.assess(call("c", "user_profile"), nullptr).touches);
  BOOST_TEST(!policy.assess(call("c", "user_profiles"), nullptr).touches);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
