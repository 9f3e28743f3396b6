#include "scratchpage/actors/tools/input_schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage {

namespace {

/// JSON Schema's types and how errors call them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> type_names{{
  {"string", "a text"},
  {"number", "a number"},
  {"integer", "a whole number"},
  {"boolean", "true or false"},
  {"array", "a list"},
  {"object", "an object"},
  {"null", "null"},
}};

std::string_view view(const json::string& x) {
  return {x.data(), x.size()};
}

caf::error refuse(const std::string& path, std::string_view expected) {
  return fail(errc::invalid_request, path, "expected " + std::string{expected});
}

std::string member(const std::string& path, std::string_view name) {
  return path + "." + std::string{name};
}

std::string element(const std::string& path, size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

const char* name_for_people(std::string_view type) {
  for (const auto& [name, text] : type_names)
    if (name == type)
      return text.data();
  return nullptr;
}

bool is_whole(const json::value& x) {
  return x.is_int64() || x.is_uint64()
         || (x.is_double() && std::nearbyint(x.get_double()) == x.get_double());
}

bool has_type(const json::value& x, std::string_view type) {
  if (type == "string")
    return x.is_string();
  if (type == "number")
    return x.is_number();
  if (type == "integer")
    return is_whole(x);
  if (type == "boolean")
    return x.is_bool();
  if (type == "array")
    return x.is_array();
  if (type == "object")
    return x.is_object();
  return type == "null" && x.is_null();
}

/// 1 and 1.0 are the same number in JSON Schema.
bool same(const json::value& a, const json::value& b) {
  if (a.is_double() != b.is_double() && a.is_number() && b.is_number())
    return a.to_number<double>() == b.to_number<double>();
  return a == b;
}

// -- the schema itself --------------------------------------------------------------

caf::error validate_schema(const json::object& schema, const std::string& path);

caf::error validate_type(const json::value& type, const std::string& path) {
  if (type.is_string() && name_for_people(view(type.get_string())) != nullptr)
    return {};
  if (type.is_array() && !type.get_array().empty()) {
    for (const auto& one : type.get_array())
      if (!one.is_string() || name_for_people(view(one.get_string())) == nullptr)
        return refuse(path, "names of JSON types");
    return {};
  }
  return refuse(path, "a JSON type or a list of them");
}

caf::error validate_required(const json::value& names, const std::string& path) {
  auto is_text = [](const json::value& x) { return x.is_string(); };
  if (!names.is_array() || !std::ranges::all_of(names.get_array(), is_text))
    return refuse(path, "a list of names");
  return {};
}

caf::error validate_nested(const json::value& schema, const std::string& path) {
  return schema.is_object() ? validate_schema(schema.get_object(), path)
                            : refuse(path, "a schema, which is an object");
}

caf::error validate_properties(const json::value& properties, const std::string& path) {
  if (!properties.is_object())
    return refuse(path, "an object");
  for (const auto& [name, schema] : properties.get_object())
    if (auto err = validate_nested(schema, member(path, name)))
      return err;
  return {};
}

caf::error validate_word(std::string_view word, const json::value& value, const std::string& path) {
  if (word == "type")
    return validate_type(value, path);
  if (word == "required")
    return validate_required(value, path);
  if (word == "properties")
    return validate_properties(value, path);
  if (word == "items" || (word == "additionalProperties" && !value.is_bool()))
    return validate_nested(value, path);
  if (word == "enum" && !value.is_array())
    return refuse(path, "a list");
  if ((word == "minimum" || word == "maximum") && !value.is_number())
    return refuse(path, "a number");
  return {};
}

caf::error validate_schema(const json::object& schema, const std::string& path) {
  for (const auto& [word, value] : schema)
    if (auto err = validate_word(word, value, member(path, word)))
      return err;
  return {};
}

// -- a value ------------------------------------------------------------------------

caf::error check_value(const json::object& schema, const json::value& x, const std::string& path);

caf::error check_type(const json::value& type, const json::value& x, const std::string& path) {
  if (type.is_string() && !has_type(x, view(type.get_string())))
    return refuse(path, name_for_people(view(type.get_string())));
  if (!type.is_array())
    return {};
  std::string expected;
  for (const auto& one : type.get_array()) {
    if (has_type(x, view(one.get_string())))
      return {};
    expected.append(expected.empty() ? "" : " or ").append(name_for_people(view(one.get_string())));
  }
  return refuse(path, expected);
}

caf::error check_enum(const json::value& allowed, const json::value& x, const std::string& path) {
  for (const auto& one : allowed.get_array())
    if (same(one, x))
      return {};
  return refuse(path, "one of " + to_text(allowed));
}

caf::error check_bounds(const json::object& schema, const json::value& x, const std::string& path) {
  auto value = x.to_number<double>();
  if (const auto* least = schema.if_contains("minimum");
      least != nullptr && value < least->to_number<double>())
    return refuse(path, "at least " + to_text(*least));
  if (const auto* most = schema.if_contains("maximum");
      most != nullptr && value > most->to_number<double>())
    return refuse(path, "at most " + to_text(*most));
  return {};
}

bool is_required(const json::object& schema, std::string_view name) {
  const auto* required = schema.if_contains("required");
  return required != nullptr
         && std::ranges::any_of(required->get_array(),
           [name](const json::value& x) { return view(x.get_string()) == name; });
}

std::string known_properties(const json::object& schema) {
  std::string result;
  if (const auto* properties = schema.if_contains("properties"))
    for (const auto& [name, nested] : properties->get_object())
      result.append(result.empty() ? " " : ", ").append(name.data(), name.size());
  return result.empty() ? " none" : result;
}

caf::error check_member(const json::object& schema, std::string_view name, const json::value& x,
  const std::string& path) {
  if (x.is_null() && !is_required(schema, name))
    return {};
  if (const auto* properties = schema.if_contains("properties"))
    if (const auto* nested = properties->get_object().if_contains({name.data(), name.size()}))
      return check_value(nested->get_object(), x, path);
  const auto* others = schema.if_contains("additionalProperties");
  if (others == nullptr)
    return {};
  if (others->is_object())
    return check_value(others->get_object(), x, path);
  return others->get_bool() ? caf::error{}
                            : fail(errc::invalid_request, path,
                              "unknown input; known are" + known_properties(schema));
}

caf::error check_object(
  const json::object& schema, const json::object& x, const std::string& path) {
  if (const auto* required = schema.if_contains("required"))
    for (const auto& name : required->get_array())
      if (!x.contains(name.get_string()))
        return refuse(member(path, view(name.get_string())), "a value; it is required");
  for (const auto& [name, value] : x)
    if (auto err = check_member(schema, name, value, member(path, name)))
      return err;
  return {};
}

caf::error check_list(const json::object& items, const json::array& xs, const std::string& path) {
  for (size_t i = 0; i < xs.size(); ++i)
    if (auto err = check_value(items, xs[i], element(path, i)))
      return err;
  return {};
}

caf::error check_value(const json::object& schema, const json::value& x, const std::string& path) {
  if (const auto* type = schema.if_contains("type"))
    if (auto err = check_type(*type, x, path))
      return err;
  if (const auto* allowed = schema.if_contains("enum"))
    if (auto err = check_enum(*allowed, x, path))
      return err;
  if (x.is_number())
    return check_bounds(schema, x, path);
  if (x.is_object())
    return check_object(schema, x.get_object(), path);
  const auto* items = schema.if_contains("items");
  if (x.is_array() && items != nullptr)
    return check_list(items->get_object(), x.get_array(), path);
  return {};
}

} // namespace

caf::error input_schema::validate() const {
  return validate_schema(schema_, "inputs");
}

caf::error input_schema::check(const json::object& inputs) const {
  return check_value(schema_, inputs, "inputs");
}

} // namespace scratchpage
