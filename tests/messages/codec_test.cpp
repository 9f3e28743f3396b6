#define BOOST_TEST_MODULE codec
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/messages.hpp"
#include "scratchpage/tests/support/messages_fixture.hpp"

namespace scratchpage {

namespace {

std::string refusal_of_draft(std::string_view text) {
  auto draft = from_json_text<observation_draft>(text);
  return draft ? "accepted" : describe(draft.error());
}

} // namespace

BOOST_AUTO_TEST_CASE(a_draft_reads_and_writes_the_same_fields) {
  constexpr auto text = R"({"type":"alert","content":"x","confidence":0.99,"tags":["a","b"],)"
                        R"("source":{"tool":"w","turn_id":"t"},"context":{"goal_id":"g"},)"
                        R"("metadata":{}})";
  auto draft = from_json_text<observation_draft>(text);
  BOOST_REQUIRE(draft);
  BOOST_TEST(to_text(to_json(*draft)) == text);
}

BOOST_AUTO_TEST_CASE(members_may_come_in_any_order) {
  auto declared = from_json_text<observation_draft>(
    R"({"type": "observation", "content": "It rains", "confidence": 0.9, "tags": ["weather"],
        "source": {"tool": "rain_gauge", "turn_id": "turn_1"}, "context": {"city": "Bern"}})");
  auto reversed = from_json_text<observation_draft>(
    R"({"context": {"city": "Bern"}, "source": {"turn_id": "turn_1", "tool": "rain_gauge"},
        "tags": ["weather"], "confidence": 0.9, "content": "It rains", "type": "observation"})");
  BOOST_REQUIRE(declared);
  BOOST_REQUIRE(reversed);
  BOOST_TEST(to_json(*reversed) == to_json(*declared));
  BOOST_TEST(reversed->source->name == "rain_gauge");
  BOOST_TEST(reversed->source->turn_id == "turn_1");
}

BOOST_AUTO_TEST_CASE(an_unknown_field_is_refused_by_name) {
  BOOST_TEST(
    refusal_of_draft(R"({"type":"alert","content":"x","contents":"y"})")
    == "invalid_observation: contents: unknown field; known are type, content, confidence, "
       "tags, source, context, owner, status, metadata, ttl_minutes; did you mean content?");
}

BOOST_AUTO_TEST_CASE(an_error_names_the_path_and_what_was_expected) {
  BOOST_TEST(refusal_of_draft(R"({"type":"alert","content":"x","tags":["a",1]})")
             == "invalid_observation: tags[1]: expected a text");
  BOOST_TEST(refusal_of_draft(R"({"type":"alert"})")
             == "invalid_observation: content: expected a value; it is required");
}

BOOST_AUTO_TEST_CASE(absent_and_null_optional_fields_are_the_same) {
  auto draft = from_json_text<observation_draft>(
    R"({"type":"alert","content":"x","confidence":null,"tags":null,"ttl_minutes":null})");
  BOOST_REQUIRE(draft);
  BOOST_TEST(!draft->confidence);
  BOOST_TEST(!draft->ttl_minutes);
}

BOOST_AUTO_TEST_CASE(a_source_names_exactly_one_of_tool_daemon_and_user) {
  BOOST_TEST(refusal_of_draft(R"({"type":"a","content":"x","source":{"tool":"w","user":"u"}})")
             == "invalid_observation: source: expected exactly one of tool, daemon, user");
}

BOOST_AUTO_TEST_CASE(a_filter_takes_one_value_or_a_list) {
  auto filter = from_json_text<observation_filter>(R"({"type":"alert","tags":["a","b"]})");
  BOOST_REQUIRE(filter);
  BOOST_TEST(filter->type.size() == 1u);
  BOOST_TEST(filter->tags.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_change_of_any_other_field_is_immutable_field) {
  auto changes = from_json_text<observation_changes>(R"({"created_at":"2025-01-01T00:00:00Z"})");
  BOOST_REQUIRE(!changes);
  BOOST_TEST(to_string(code_of(changes.error())) == "immutable_field");
  BOOST_TEST(field_of(changes.error()) == "created_at");
}

BOOST_AUTO_TEST_CASE(the_number_of_values_is_bounded) {
  auto list = [](size_t values) { // the list counts as a value
    std::string text = "[0";
    for (size_t i = 2; i < values; ++i)
      text += ",0";
    return text + "]";
  };
  json_limits limits;
  limits.max_values = 10;
  BOOST_TEST(!!parse_json(list(10), limits));
  for (const auto& text : {list(11), std::string{R"({"a":[1,2.5,"x",null,true,{},[],-1,9]})"}}) {
    auto refused = parse_json(text, limits);
    BOOST_REQUIRE(!refused);
    BOOST_TEST(describe(refused.error()).find("at most 10 values") != std::string::npos);
  }
  BOOST_TEST(!!parse_json(list(250'000)));
  BOOST_TEST(!parse_json(list(250'001)));
  BOOST_TEST(!!parse_json(list(250'001), {1u << 20, 32, any_number_of_values}));
}

BOOST_AUTO_TEST_CASE(the_number_of_members_of_an_object_is_bounded) {
  auto object = [](size_t members) {
    std::string text = "{";
    for (size_t i = 0; i < members; ++i)
      text.append(i == 0 ? "" : ",").append("\"m").append(std::to_string(i)).append("\":0");
    return text + "}";
  };
  BOOST_TEST(!!parse_json(object(500)));
  BOOST_TEST(!!parse_json("[" + object(500) + "," + object(500) + "]"));
  for (const auto& text : {object(501), "{\"a\":[" + object(501) + "]}"}) {
    auto refused = parse_json(text);
    BOOST_REQUIRE(!refused);
    BOOST_TEST(describe(refused.error()).find("at most 500 members") != std::string::npos);
  }
  BOOST_TEST(!!parse_json(object(501), {.max_members = 501}));
  BOOST_TEST(!!parse_json(object(501), {1u << 20, 32, any_number_of_values}));
}

BOOST_AUTO_TEST_CASE(depth_and_size_are_bounded) {
  std::string deep(40, '[');
  deep.append(40, ']');
  BOOST_TEST(!parse_json(deep));
  BOOST_TEST(!parse_json("[1, 2, 3]", {.max_bytes = 4}));
  BOOST_TEST(!parse_json("{} {}"));
  BOOST_TEST(!parse_json("{"));
}

/// Such a number would become infinite, which cannot be written: another value would be stored.
BOOST_AUTO_TEST_CASE(a_number_that_is_too_large_is_refused) {
  for (const auto* text : {"1e309", "-1e309", "[1, {\"a\": 1e400}]"})
    BOOST_TEST(!parse_json(text), text);
  auto largest = parse_json("1.7976931348623157e308");
  BOOST_REQUIRE(largest);
  BOOST_TEST((parse_json(to_text(*largest)) == largest));
  BOOST_TEST(parse_json("1e-400")->as_double() == 0.0);
}

BOOST_AUTO_TEST_CASE(a_zero_has_no_sign) {
  auto draft =
    from_json_text<observation_draft>(R"({"type":"alert","content":"x","confidence":-0.0})");
  BOOST_REQUIRE((draft && draft->confidence));
  BOOST_TEST(!std::signbit(*draft->confidence));
}

BOOST_AUTO_TEST_CASE(a_time_that_is_too_long_is_not_told_to_be_negative) {
  auto refusal = [](const json::value& x) {
    json_reader reader{errc::invalid_request};
    timespan to{};
    return reader.read(x, to) ? "accepted" : describe(reader.error());
  };
  BOOST_TEST(refusal(1000) == "accepted");
  BOOST_TEST(refusal(-1).find("expected milliseconds, not negative") != std::string::npos);
  for (const auto& x : {json::value(uint64_t{1} << 63), json::value(1e300)})
    BOOST_TEST(refusal(x).find("expected milliseconds, at most") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(numbers_are_written_for_people) {
  BOOST_TEST(to_text(json::value(0.99)) == "0.99");
  BOOST_TEST(to_text(json::value(1440.0)) == "1440.0");
  BOOST_TEST(to_text(json::value(3)) == "3");
}

} // namespace scratchpage
