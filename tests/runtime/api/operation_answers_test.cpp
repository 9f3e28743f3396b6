#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/api/operation_answers.hpp"
#include "scratchpage/tests/support/require_value.hpp"

/// Answers and errors are the same after writing and reading them.

namespace scratchpage::test {

namespace {

observation_ptr some_observation() {
  observation x;
  x.observation_id = "obs_20251105_001";
  x.type = "alert";
  x.content = "Smoke";
  x.source = {source_kind::tool, "sensor", "", {}};
  return observation_ptr{std::move(x)};
}

template <class T>
T there_and_back(const T& x) {
  return require_value(read_answer<T>(require_value(parse_result(to_result(x)))));
}

} // namespace

BOOST_AUTO_TEST_SUITE(operation_answers)

BOOST_AUTO_TEST_CASE(a_receipt_keeps_its_warnings_apart_from_the_observation) {
  receipt stored{some_observation(), {"confidence was set to 1"}};
  auto json = json::parse(to_result(stored));
  BOOST_TEST(json.at("content").as_string() == "Smoke");
  auto back = there_and_back(stored);
  BOOST_TEST(back.observation->observation_id == "obs_20251105_001");
  BOOST_TEST(back.warnings == stored.warnings);
  BOOST_TEST(there_and_back(receipt{some_observation(), {}}).warnings.empty());
}

BOOST_AUTO_TEST_CASE(outcomes_are_what_is_stored_and_what_is_refused_in_their_order) {
  add_outcomes all;
  all.outcomes.push_back({{some_observation(), {}}, {}});
  all.outcomes.push_back({{}, fail(errc::invalid_observation, "content", "expected: a text")});
  auto back = there_and_back(all).outcomes;
  BOOST_REQUIRE(back.size() == 2u);
  BOOST_TEST(!back[0].error);
  BOOST_TEST(back[0].stored.observation->content == "Smoke");
  BOOST_TEST(describe(back[1].error) == describe(all.outcomes[1].error));
  BOOST_TEST(field_of(back[1].error) == "content");
}

BOOST_AUTO_TEST_CASE(an_observation_that_is_not_there_is_null) {
  BOOST_TEST(to_result(observation_ptr{}) == "null");
  BOOST_TEST(!there_and_back(observation_ptr{}));
}

BOOST_AUTO_TEST_CASE(every_error_says_the_same_when_it_comes_back) {
  for (auto code = 1; code <= 13; ++code)
    for (const auto* field : {"", "metadata.limit"})
      for (const auto* expected : {"", "expected at most 3", "internal: a: b"}) {
        auto error = fail(static_cast<errc>(code), field, expected);
        BOOST_TEST(describe(read_error(to_json(error))) == describe(error));
        BOOST_TEST(field_of(read_error(to_json(error))) == field);
      }
}

BOOST_AUTO_TEST_CASE(what_is_no_error_is_one_of_ours) {
  for (const auto* text : {"null", "[]", "{}", R"({"code": "none"})", R"({"code": "odd"})"})
    BOOST_TEST((code_of(read_error(json::parse(text))) == errc::internal), text);
}

BOOST_AUTO_TEST_CASE(an_item_has_its_times_as_text_to_the_nanosecond) {
  scratchbook_item item;
  item.id = "s1";
  item.title = "Ask";
  item.created_at_ns = 1'762'338'600'123'456'789;
  item.updated_at_ns = 1'762'338'600'000'000'001;
  auto written = parse_result(to_result(item));
  BOOST_REQUIRE(written);
  BOOST_TEST(written->at("created_at").as_string() == "2025-11-05T10:30:00.123456789Z");
  BOOST_TEST(written->at("updated_at").as_string() == "2025-11-05T10:30:00.000000001Z");
  BOOST_TEST(written->at("created_at_ns").as_int64() == item.created_at_ns);
  auto read = read_answer<scratchbook_item>(*written);
  BOOST_REQUIRE(read);
  BOOST_TEST((*read == item));
  scratchbook book{"trip", {item}, {"s1"}};
  auto all = parse_result(to_result(book));
  BOOST_REQUIRE(all);
  BOOST_TEST(
    all->at("items").at(0).at("created_at").as_string() == "2025-11-05T10:30:00.123456789Z");
  auto again = read_answer<scratchbook>(*all);
  BOOST_REQUIRE(again);
  BOOST_TEST((*again == book));
}

BOOST_AUTO_TEST_CASE(times_before_1970_are_written_rightly) {
  scratchbook_item item;
  item.created_at_ns = -1;
  BOOST_TEST(with_times(item).at("created_at").as_string() == "1969-12-31T23:59:59.999999999Z");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
