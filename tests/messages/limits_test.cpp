#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"

/// Limits of filters and plans from outside.

namespace scratchpage::test {

namespace {

using limits = filter_limits;

std::string refusal(const caf::error& err) {
  return err ? to_string(code_of(err)) + " " + field_of(err) : "none";
}

std::vector<std::string> texts(size_t count, size_t bytes = 3) {
  std::vector<std::string> result(count, std::string(bytes, 'x'));
  for (size_t i = 0; i < count; ++i)
    result[i] += std::to_string(i);
  return result;
}

observation_filter with(
  std::vector<std::string> observation_filter::*member, std::vector<std::string> values) {
  observation_filter result;
  result.*member = std::move(values);
  return result;
}

std::vector<planned_call> calls(size_t count) {
  std::vector<planned_call> result(count);
  for (auto& x : result)
    x.tool_id = "mail";
  return result;
}

json::object object_of(std::string_view text) {
  return parse_json(text)->get_object();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_filter_of_what_a_person_writes_is_within_the_limits) {
  BOOST_TEST(refusal(check_filter({}, "metadata")) == "none");
  observation_filter x;
  x.type = x.source = x.owner = x.tags = texts(limits::values);
  x.status.assign(limits::values, status::active);
  for (size_t i = 0; i < limits::context_paths; ++i)
    x.context["path" + std::to_string(i)] = i;
  BOOST_TEST(refusal(check_filter(x, "")) == "none");
}

BOOST_AUTO_TEST_CASE(a_filter_with_too_many_values_is_refused_by_the_member_that_has_them) {
  using filter = observation_filter;
  auto many = texts(limits::values + 1);
  BOOST_TEST(refusal(check_filter(with(&filter::type, many), "metadata"))
             == "invalid_request metadata.type");
  BOOST_TEST(refusal(check_filter(with(&filter::source, many), "")) == "invalid_request source");
  BOOST_TEST(refusal(check_filter(with(&filter::owner, many), "")) == "invalid_request owner");
  BOOST_TEST(refusal(check_filter(with(&filter::tags, many), "a.b")) == "invalid_request a.b.tags");
  filter x;
  x.status.assign(limits::values + 1, status::active);
  BOOST_TEST(refusal(check_filter(x, "")) == "invalid_request status");
  filter y;
  for (size_t i = 0; i <= limits::context_paths; ++i)
    y.context[std::to_string(i)] = i;
  BOOST_TEST(refusal(check_filter(y, "")) == "invalid_request context");
}

BOOST_AUTO_TEST_CASE(a_filter_with_a_long_text_is_refused_wherever_it_stands) {
  using filter = observation_filter;
  std::string longest(limits::text_bytes, 'x');
  auto longer = longest + "x";
  for (auto member : {&filter::type, &filter::source, &filter::owner, &filter::tags}) {
    BOOST_TEST(refusal(check_filter(with(member, {"a", longest}), "")) == "none");
    BOOST_TEST(refusal(check_filter(with(member, {"a", longer}), "")) != "none");
  }
  filter x;
  x.turn_id = longer;
  BOOST_TEST(refusal(check_filter(x, "m")) == "invalid_request m.turn_id");
  x = {};
  x.context[longer] = 1;
  BOOST_TEST(refusal(check_filter(x, "")) == "invalid_request context");
  x = {};
  x.context["goal_id"] = longer;
  BOOST_TEST(refusal(check_filter(x, "")) == "invalid_request context.goal_id");
}

BOOST_AUTO_TEST_CASE(a_long_text_of_a_query_is_refused) {
  std::string longest(limits::query_bytes, 'x');
  BOOST_TEST(refusal(check_query_text(longest, "query")) == "none");
  BOOST_TEST(refusal(check_query_text(longest + "x", "query")) == "invalid_request query");
}

// -- plans ----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_plan_of_more_calls_than_256_is_refused_by_its_name) {
  BOOST_TEST(refusal(check_plan(calls(256), "plan")) == "none");
  BOOST_TEST(refusal(check_plan(calls(257), "plan")) == "invalid_request plan");
  BOOST_TEST(refusal(check_plan(calls(100'000), "plan")) == "invalid_request plan");
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_for_more_than_256_is_refused_by_its_place) {
  auto plan = calls(3);
  plan[1].depends_on.assign(257, "a");
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "invalid_request plan[1].depends_on");
  plan = calls(3);
  plan[2].after.assign(257, "a");
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "invalid_request plan[2].after");
  plan[2].after.assign(256, "a");
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "none");
}

BOOST_AUTO_TEST_CASE(a_plan_whose_ids_or_inputs_are_long_is_refused) {
  auto plan = calls(1);
  plan[0].tool_id.assign(257, 'x');
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "invalid_request plan[0].tool_id");
  plan = calls(1);
  plan[0].after = {std::string(257, 'x')};
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "invalid_request plan[0].after");
  plan = calls(1);
  plan[0].inputs["text"] = std::string(65'536, 'x');
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "invalid_request plan[0].inputs");
}

BOOST_AUTO_TEST_CASE(a_plan_of_many_fractions_counts_each_at_its_longest) {
  auto plan = calls(1);
  plan[0].inputs["numbers"] = json::array(2'400, json::value(0.5));
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "none");
  plan[0].inputs["numbers"] = json::array(2'500, json::value(0.5));
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "invalid_request plan");
}

BOOST_AUTO_TEST_CASE(a_plan_that_one_observation_could_not_keep_is_refused) {
  auto plan = calls(3);
  for (auto& x : plan)
    x.inputs["text"] = std::string(30'000, 'x');
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "invalid_request plan");
  plan.pop_back();
  BOOST_TEST(refusal(check_plan(plan, "plan")) == "none");
}

BOOST_AUTO_TEST_CASE(what_a_planned_call_asks_the_page_is_a_filter_as_any_other) {
  auto plan = calls(1);
  plan[0].scratch_page_query.emplace().filters.tags = texts(101);
  BOOST_TEST(
    refusal(check_plan(plan, "plan")) == "invalid_request plan[0].scratch_page_query.filters.tags");
}

// -- sizes ----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_size_of_json_is_that_of_its_text) {
  for (auto* text : {"{}", R"({"a":1})", R"({"a":[1,-20,true],"b":{"c":"d\n\u0001\"x\\"},"é":"é"})",
         R"({"":[[],[],{}]})", R"({"n":18446744073709551615,"m":-9223372036854775808})"}) {
    auto x = object_of(text);
    auto exact = to_text(x).size();
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(json_size(x, 1'000) == exact);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_number_with_a_fraction_counts_as_the_longest) {
  auto x = object_of(R"({"a":0.5})");
  BOOST_TEST(json_size(x, 100) >= to_text(x).size());
  BOOST_TEST(json_size(x, 100) <= to_text(x).size() + 24);
}

BOOST_AUTO_TEST_CASE(counting_ends_where_it_is_too_much) {
  json::object x;
  for (auto i = 0; i < 10'000; ++i)
    x[std::to_string(i)] = json::array(100, json::value(i));
  BOOST_TEST(json_size(x, 1'000) > 1'000u);
  BOOST_TEST(json_size(x, 1'000) < 12'000u); // of five million: counting ended early
}

BOOST_AUTO_TEST_CASE(json_is_within_a_number_of_bytes_if_its_text_is) {
  for (auto* text : {"{}", R"({"a":[1,-20,true],"b":{"c":"d\n\u0001\"x\\"},"é":"é"})",
         R"({"\u0001\u0002\u0003":["\u0004\u0005","\"\"\"\\\\"]})"}) {
    auto x = object_of(text);
    auto exact = to_text(x).size();
    BOOST_TEST_CONTEXT(text) {
      for (size_t most = 0; most < 8 * exact; ++most)
        BOOST_TEST(is_within(x, most) == (exact <= most));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_has_more_takes_more_memory) {
  observation x;
  auto bare = memory_of(x);
  x.content.assign(1'000, 'x');
  BOOST_TEST(memory_of(x) >= bare + 1'000);
  auto before = memory_of(x);
  x.metadata["list"] = json::array(1'000, json::value(1));
  BOOST_TEST(memory_of(x) >= before + 1'000 * sizeof(json::value));
  before = memory_of(x);
  x.context["inner"] = {{"text", std::string(1'000, 'x')}};
  BOOST_TEST(memory_of(x) >= before + 1'000);
  before = memory_of(x);
  x.tags = {"short", std::string(100, 'x')};
  BOOST_TEST(memory_of(x) >= before + 2 * sizeof(std::string) + 100);
}

} // namespace scratchpage::test
