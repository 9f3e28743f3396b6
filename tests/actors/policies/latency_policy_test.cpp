#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

observation_ptr result_of(std::string tool, double duration_ms, const char* status = "ok") {
  auto x = seen("obs_1", "tool_result", "done");
  x.metadata =
    json::object{{"tool_id", std::move(tool)}, {"duration_ms", duration_ms}, {"status", status}};
  return observation_ptr{std::move(x)};
}

observation_ptr said(std::string text) {
  return observation_ptr{from_tool(
    seen("obs_1", "contextual_insight", std::move(text), {"performance"}), "weather_api")};
}

std::vector<suggestion> suggest(
  const std::vector<observation_ptr>& seen, const manifest_list& manifests = {}) {
  return latency_policy{default_config().latency}.suggest(seen, manifests);
}

tool_manifest with_alternative() {
  auto manifest = tool("weather_api");
  manifest.alternatives = {"weather_cache"};
  return manifest;
}

} // namespace

BOOST_AUTO_TEST_SUITE(latency)

BOOST_AUTO_TEST_CASE(a_much_faster_alternative_is_preferred) {
  std::vector<observation_ptr> seen;
  for (auto ms : {900, 1000, 5000}) {
    seen.push_back(result_of("weather_api", ms));
    seen.push_back(result_of("weather_cache", ms / 10));
  }
  auto found = suggest(seen, {with_alternative()});
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].prefer == "weather_cache");
  BOOST_TEST(found[0].statement
             == "Prefer weather_cache to weather_api: it answers in 100ms instead of 1000ms");
  BOOST_TEST(found[0].key == "prefer:weather_cache:weather_api");
}

BOOST_AUTO_TEST_CASE(a_few_measurements_or_a_small_difference_suggest_nothing) {
  BOOST_TEST(suggest({result_of("weather_api", 9000), result_of("weather_api", 9000)}).empty());
  std::vector<observation_ptr> seen;
  for (int i = 0; i < 3; ++i) {
    seen.push_back(result_of("weather_api", 1000));
    seen.push_back(result_of("weather_cache", 800));
  }
  BOOST_TEST(suggest(seen, {with_alternative()}).empty());
}

BOOST_AUTO_TEST_CASE(a_slow_tool_without_an_alternative_is_named) {
  auto found = suggest({said("Weather API responded in 2100ms"), said("took 2.5 seconds"),
    said("API response time was 2.3 seconds")});
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].statement == "Look for a faster way than weather_api: it takes 2300ms");
  BOOST_TEST(listed(found[0].tags) == "performance weather_api");
}

BOOST_AUTO_TEST_CASE(a_fast_tool_is_left_alone) {
  BOOST_TEST(suggest({said("Weather API responded in 234ms"), said("234ms"), said("1 s")}).empty());
}

BOOST_AUTO_TEST_CASE(an_alternative_of_an_unreliable_tool_is_preferred) {
  std::vector<observation_ptr> seen{result_of("weather_api", 10, "timeout"),
    result_of("weather_api", 10, "error"), result_of("weather_api", 10)};
  auto found = suggest(seen, {with_alternative()});
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].statement == "Prefer weather_cache to weather_api: 2 of 3 calls failed");
}

BOOST_AUTO_TEST_CASE(what_says_no_duration_is_no_measurement) {
  std::vector<observation_ptr> seen;
  for (auto text : {"Flight 204 in 3 cities", "no numbers", "5", "5 s5", "5 sports"})
    seen.push_back(said(text));
  BOOST_TEST(suggest(seen).empty());
}

BOOST_AUTO_TEST_CASE(a_duration_is_a_number_and_a_unit_in_any_case) {
  for (auto text : {"3s", "3 S", "3000ms", "3000 Milliseconds", "in 3.0 sec.", "after 3 seconds"})
    BOOST_TEST(suggest({said(text), said(text), said(text)}).size() == 1u, text);
}

BOOST_AUTO_TEST_CASE(a_duration_is_looked_for_in_the_beginning_of_a_text_only) {
  auto after = [](size_t bytes) {
    auto text = std::string(bytes, 'x') + " took 5 seconds";
    return suggest({said(text), said(text), said(text)}).size();
  };
  BOOST_TEST(after(reading_limits::observation_bytes / 2) == 1u);
  BOOST_TEST(after(reading_limits::observation_bytes) == 0u);
}

BOOST_AUTO_TEST_CASE(a_tool_says_how_fast_it_is_itself_and_not_how_fast_another_is) {
  auto claim = seen("obs_1", "observation", "It failed", {"performance"});
  claim.metadata = json::object{{"tool_id", "weather_api"}, {"status", "error"}};
  observation_ptr claimed{from_tool(claim, "gauge")};
  auto found = suggest({claimed, claimed, claimed}, {with_alternative()});
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].tool_id == "gauge");
}

BOOST_AUTO_TEST_CASE(the_newest_measurements_of_a_source_count) {
  std::vector<observation_ptr> seen;
  for (size_t i = 0; i < analysis_limits::measurements; ++i)
    seen.push_back(said("3 s"));
  for (size_t i = 0; i < 2 * analysis_limits::measurements; ++i)
    seen.push_back(said("9 s"));
  auto found = suggest(seen);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].observation_ids.size() == analysis_limits::measurements);
  BOOST_TEST(found[0].statement == "Look for a faster way than weather_api: it takes 3000ms");
}

BOOST_AUTO_TEST_CASE(a_name_that_no_tool_can_have_is_passed_over) {
  std::vector<observation_ptr> seen(3, result_of(std::string(1'000, 'x'), 9000));
  BOOST_TEST(suggest(seen).empty());
}

BOOST_AUTO_TEST_CASE(a_long_name_is_a_tag_as_far_as_a_tag_goes) {
  std::vector<observation_ptr> seen(3, result_of(std::string(100, 'x'), 9000));
  auto found = suggest(seen);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(listed(found[0].tags) == "performance " + std::string(64, 'x'));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
