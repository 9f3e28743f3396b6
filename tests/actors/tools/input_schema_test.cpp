#include "scratchpage/actors/tools/input_schema.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/tools.hpp"

namespace scratchpage {

namespace {

using test::object;

std::string checked(std::string_view schema, std::string_view inputs) {
  auto err = input_schema{object(schema)}.check(object(inputs));
  return err ? describe(err) : "accepted";
}

std::string verdict_on_schema(std::string_view schema) {
  auto err = input_schema{object(schema)}.validate();
  return err ? describe(err) : "accepted";
}

constexpr auto weather = R"({
  "type": "object",
  "properties": {
    "city": {"type": "string"},
    "days": {"type": "integer", "minimum": 1, "maximum": 14},
    "unit": {"enum": ["celsius", "fahrenheit"]},
    "at": {"type": ["string", "null"]},
    "places": {"type": "array", "items": {"type": "object", "required": ["lat"],
      "properties": {"lat": {"type": "number"}}}}
  },
  "required": ["city"],
  "additionalProperties": false
})";

} // namespace

BOOST_AUTO_TEST_SUITE(input_schema_test)

BOOST_AUTO_TEST_CASE(inputs_that_fit_are_accepted) {
  BOOST_TEST(checked(weather, R"({"city": "Rome"})") == "accepted");
  BOOST_TEST(checked(weather, R"({"city": "Rome", "days": 3, "unit": "celsius", "at": "noon",
    "places": [{"lat": 1}, {"lat": 2.5, "lon": 1}]})")
             == "accepted");
  BOOST_TEST(checked("{}", R"({"whatever": [1, {}]})") == "accepted");
}

BOOST_AUTO_TEST_CASE(a_missing_required_input_is_named) {
  BOOST_TEST(
    checked(weather, "{}") == "invalid_request: inputs.city: expected a value; it is required");
}

BOOST_AUTO_TEST_CASE(a_null_is_as_good_as_nothing_where_nothing_is_required) {
  BOOST_TEST(checked(weather, R"({"city": "Rome", "days": null})") == "accepted");
  BOOST_TEST(
    checked(weather, R"({"city": null})") == "invalid_request: inputs.city: expected a text");
}

BOOST_AUTO_TEST_CASE(a_wrong_type_is_named_with_its_path) {
  BOOST_TEST(checked(weather, R"({"city": 5})") == "invalid_request: inputs.city: expected a text");
  BOOST_TEST(checked(weather, R"({"city": "R", "at": 5})")
             == "invalid_request: inputs.at: expected a text or null");
  BOOST_TEST(checked(weather, R"({"city": "R", "places": [{"lat": 1}, {"lat": "x"}]})")
             == "invalid_request: inputs.places[1].lat: expected a number");
  BOOST_TEST(checked(weather, R"({"city": "R", "places": [{}]})")
             == "invalid_request: inputs.places[0].lat: expected a value; it is required");
}

BOOST_AUTO_TEST_CASE(a_whole_number_may_be_written_with_a_point) {
  BOOST_TEST(checked(weather, R"({"city": "R", "days": 3.0})") == "accepted");
  BOOST_TEST(checked(weather, R"({"city": "R", "days": 3.5})")
             == "invalid_request: inputs.days: expected a whole number");
}

BOOST_AUTO_TEST_CASE(bounds_are_inclusive) {
  BOOST_TEST(checked(weather, R"({"city": "R", "days": 1})") == "accepted");
  BOOST_TEST(checked(weather, R"({"city": "R", "days": 14})") == "accepted");
  BOOST_TEST(checked(weather, R"({"city": "R", "days": 0})")
             == "invalid_request: inputs.days: expected at least 1");
  BOOST_TEST(checked(weather, R"({"city": "R", "days": 15})")
             == "invalid_request: inputs.days: expected at most 14");
}

BOOST_AUTO_TEST_CASE(a_value_outside_an_enum_is_told_what_is_in_it) {
  BOOST_TEST(checked(weather, R"({"city": "R", "unit": "kelvin"})")
             == R"(invalid_request: inputs.unit: expected one of ["celsius","fahrenheit"])");
  BOOST_TEST(checked(R"({"properties": {"n": {"enum": [1, 2]}}})", R"({"n": 2.0})") == "accepted");
}

BOOST_AUTO_TEST_CASE(additional_inputs_are_refused_only_where_the_schema_says_so) {
  BOOST_TEST(checked(weather, R"({"city": "R", "planet": "Mars"})")
             == "invalid_request: inputs.planet: unknown input; known are city, days, unit, at, "
                "places");
  BOOST_TEST(checked(R"({"properties": {"a": {}}})", R"({"b": 1})") == "accepted");
  BOOST_TEST(checked(R"({"additionalProperties": {"type": "string"}})", R"({"b": 1})")
             == "invalid_request: inputs.b: expected a text");
}

BOOST_AUTO_TEST_CASE(words_it_does_not_know_are_ignored) {
  BOOST_TEST(verdict_on_schema(R"({"title": "x", "format": 5})") == "accepted");
  BOOST_TEST(checked(R"({"properties": {"a": {"pattern": "^b"}}})", R"({"a": "c"})") == "accepted");
}

BOOST_AUTO_TEST_CASE(a_malformed_schema_is_refused_with_the_path) {
  BOOST_TEST(verdict_on_schema(weather) == "accepted");
  BOOST_TEST(verdict_on_schema(R"({"type": "text"})")
             == "invalid_request: inputs.type: expected a JSON type or a list of them");
  BOOST_TEST(verdict_on_schema(R"({"required": "city"})")
             == "invalid_request: inputs.required: expected a list of names");
  BOOST_TEST(verdict_on_schema(R"({"properties": {"a": {"items": 5}}})")
             == "invalid_request: inputs.properties.a.items: expected a schema, which is an "
                "object");
  BOOST_TEST(verdict_on_schema(R"({"properties": {"a": {"minimum": "1"}}})")
             == "invalid_request: inputs.properties.a.minimum: expected a number");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
