#include "scratchpage/tests/support/json_schema_check.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage::test {

namespace {

std::string wrong(const std::string& at, const std::string& expected) {
  return (at.empty() ? "the value" : at) + ": expected " + expected;
}

bool is_whole(const json::value& x) {
  return x.is_int64() || x.is_uint64()
         || (x.is_double() && std::trunc(x.get_double()) == x.get_double());
}

bool is_of_type(const json::value& x, std::string_view type) {
  return (type == "null" && x.is_null()) || (type == "boolean" && x.is_bool())
         || (type == "string" && x.is_string()) || (type == "array" && x.is_array())
         || (type == "object" && x.is_object()) || (type == "number" && x.is_number())
         || (type == "integer" && is_whole(x));
}

/// Fails the test if the schema has a keyword that `json_schema_check` neither checks nor may
/// ignore.
void know_words(const json::object& schema) {
  static const std::set<std::string_view> known{"$ref", "type", "const", "enum", "anyOf", "oneOf",
    "minimum", "maximum", "maxItems", "minLength", "maxLength", "pattern", "format", "properties",
    "required", "additionalProperties", "items", "description", "default", "examples"};
  for (const auto& [word, value] : schema)
    if (!known.contains(word))
      BOOST_FAIL("json_schema_check does not know the keyword " + std::string{word});
}

} // namespace

std::string json_schema_check::check(
  const json::object& schema, const json::value& x, const std::string& at) const {
  know_words(schema);
  if (const auto* elsewhere = schema.if_contains("$ref")) {
    std::string pointer{elsewhere->as_string()};
    return check(document_.at_pointer(pointer.substr(1)).as_object(), x, at);
  }
  if (const auto* type = schema.if_contains("type"); type != nullptr)
    if (!is_of_type(x, std::string_view{type->as_string()}))
      return wrong(at, to_text(*type));
  if (const auto* one = schema.if_contains("const"); one != nullptr && *one != x)
    return wrong(at, to_text(*one));
  if (const auto* some = schema.if_contains("enum"))
    if (std::ranges::find(some->as_array(), x) == some->as_array().end())
      return wrong(at, "one of " + to_text(*some));
  if (auto problem = check_choices(schema, x, at); !problem.empty())
    return problem;
  if (x.is_number())
    return check_number(schema, x, at);
  if (x.is_string())
    return check_text(schema, std::string{x.get_string()}, at);
  if (x.is_object())
    return check_object(schema, x.get_object(), at);
  if (const auto* most = schema.if_contains("maxItems"); most != nullptr && x.is_array())
    if (x.get_array().size() > most->to_number<size_t>())
      return wrong(at, "at most so many: " + to_text(*most));
  if (const auto* items = schema.if_contains("items"); items != nullptr && x.is_array())
    for (size_t i = 0; i < x.get_array().size(); ++i)
      if (auto problem =
            check(items->as_object(), x.get_array()[i], at + "[" + std::to_string(i) + "]");
          !problem.empty())
        return problem;
  return {};
}

std::string json_schema_check::check_choices(
  const json::object& schema, const json::value& x, const std::string& at) const {
  auto fitting = [&](const json::value& choices) {
    return std::ranges::count_if(choices.as_array(),
      [&](const json::value& one) { return check(one.as_object(), x, at).empty(); });
  };
  if (const auto* any = schema.if_contains("anyOf"); any != nullptr && fitting(*any) == 0)
    return wrong(at, "any of " + to_text(*any));
  if (const auto* one = schema.if_contains("oneOf"); one != nullptr && fitting(*one) != 1)
    return wrong(at, "one of " + to_text(*one));
  return {};
}

std::string json_schema_check::check_number(
  const json::object& schema, const json::value& x, const std::string& at) const {
  auto number = x.to_number<double>();
  if (const auto* least = schema.if_contains("minimum");
      least != nullptr && number < least->to_number<double>())
    return wrong(at, "at least " + to_text(*least));
  if (const auto* most = schema.if_contains("maximum");
      most != nullptr && number > most->to_number<double>())
    return wrong(at, "at most " + to_text(*most));
  return {};
}

std::string json_schema_check::check_text(
  const json::object& schema, const std::string& x, const std::string& at) const {
  if (const auto* least = schema.if_contains("minLength");
      least != nullptr && utf8::length(x) < least->to_number<size_t>())
    return wrong(at, "at least so many characters: " + to_text(*least));
  if (const auto* most = schema.if_contains("maxLength");
      most != nullptr && utf8::length(x) > most->to_number<size_t>())
    return wrong(at, "at most so many characters: " + to_text(*most));
  // std::regex uses a stack frame for each character.
  if (const auto* pattern = schema.if_contains("pattern"))
    if (x.size() > 4'096 || !std::regex_search(x, std::regex{std::string{pattern->as_string()}}))
      return wrong(at, "a text after " + to_text(*pattern));
  if (const auto* format = schema.if_contains("format"))
    if (*format == "date-time" && !from_rfc3339(x))
      return wrong(at, "a date and time");
  return {};
}

bool json_schema_check::has(const json::object& x, json::string_view name) const {
  const auto* found = x.if_contains(name);
  return found != nullptr && (nulls_ == nulls::values || !found->is_null());
}

std::string json_schema_check::check_object(
  const json::object& schema, const json::object& x, const std::string& at) const {
  if (const auto* required = schema.if_contains("required"))
    for (const auto& name : required->as_array())
      if (!has(x, name.as_string()))
        return wrong(at, "a member " + to_text(name));
  for (const auto& [name, value] : x)
    if (auto problem = check_member(schema, name, value, at); !problem.empty())
      return problem;
  return {};
}

std::string json_schema_check::check_member(const json::object& schema, json::string_view name,
  const json::value& x, const std::string& at) const {
  auto there = at + (at.empty() ? "" : ".") + std::string{name};
  const auto* properties = schema.if_contains("properties");
  const auto* known = properties == nullptr ? nullptr : properties->as_object().if_contains(name);
  if (known != nullptr)
    return x.is_null() && nulls_ == nulls::absent ? "" : check(known->as_object(), x, there);
  const auto* others = schema.if_contains("additionalProperties");
  if (others == nullptr)
    return {};
  if (others->is_object())
    return check(others->get_object(), x, there);
  return others->as_bool() ? "" : wrong(there, "no such member");
}

} // namespace scratchpage::test
