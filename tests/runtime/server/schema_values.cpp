#include "scratchpage/tests/runtime/server/schema_values.hpp"

#include <algorithm>
#include <set>

namespace scratchpage::test {

namespace {

/// Texts that are known to cause errors.
const json::array odd_texts{"Smoke", "two words", "\"'<>&;--", "{}", "null", "0", "日本語",
  "\xf0\x9f\x94\xa5", "a\nb\tc", "../../etc", "%00%ff", "e\xcc\x81", "x+y=z&a"};

std::set<json::string> names_of_choices(const json::object& schema) {
  std::set<json::string> result;
  if (const auto* choices = schema.if_contains("oneOf"))
    for (const auto& one : choices->as_array())
      for (const auto& name : one.at("required").as_array())
        result.insert(name.as_string());
  return result;
}

bool needs(const json::object& schema, json::string_view name) {
  const auto* required = schema.if_contains("required");
  return required != nullptr
         && std::ranges::any_of(
           required->as_array(), [&](const json::value& x) { return x.as_string() == name; });
}

} // namespace

json::value schema_values::make(const json::object& schema, std::string_view name, uint64_t more) {
  if (auto known = known_.find(name); known != known_.end())
    return one_of(known->second);
  if (const auto* names = schema.if_contains("enum"))
    return one_of(names->as_array());
  if (const auto* choices = schema.if_contains("anyOf"))
    return make(one_of(choices->as_array()).as_object(), {}, more);
  const auto* type = schema.if_contains("type");
  if (type == nullptr)
    return one_of({true, 7, 0.25, "text", nullptr});
  if (*type == "object")
    return make_object(schema, more);
  if (*type == "boolean")
    return chance_.one_in(2);
  if (*type == "number" || *type == "integer")
    return make_number(schema, *type == "integer");
  if (*type == "string")
    return json::value(make_text(schema));
  json::array list;
  for (auto n = more == 0 ? 0 : chance_.below(4); n > 0; --n)
    list.push_back(make(schema.at("items").as_object(), {}, more));
  return list;
}

json::object schema_values::make_object(const json::object& schema, uint64_t more) {
  json::object result;
  auto choices = names_of_choices(schema);
  if (const auto* properties = schema.if_contains("properties"))
    for (const auto& [name, one] : properties->as_object())
      if (!choices.contains(name) && (needs(schema, name) || chance_.percent(more)))
        result[name] = make(one.as_object(), name, more);
  if (!choices.empty()) {
    auto name = *std::next(choices.begin(), static_cast<long>(chance_.below(choices.size())));
    result[name] = make(schema.at("properties").at(name).as_object(), name, more);
  }
  const auto* others = schema.if_contains("additionalProperties");
  if (others != nullptr && others->is_object() && chance_.percent(more))
    result["some.path"] = make(others->get_object(), {}, more);
  if (!schema.contains("properties") && others == nullptr && chance_.percent(more))
    result["goal_id"] = make_text({});
  return result;
}

json::value schema_values::make_number(const json::object& schema, bool whole) {
  json::array some{0, 1, 2, 7, 100, 1'000'000};
  if (!whole)
    some.insert(some.end(), {0.5, 1e-300, 1e9});
  for (const auto* bound : {schema.if_contains("minimum"), schema.if_contains("maximum")})
    if (bound != nullptr)
      some.push_back(*bound);
  auto is_out = [&](const json::value& x) {
    const auto* least = schema.if_contains("minimum");
    const auto* most = schema.if_contains("maximum");
    return (least != nullptr && x.to_number<double>() < least->to_number<double>())
           || (most != nullptr && x.to_number<double>() > most->to_number<double>());
  };
  json::array fitting;
  for (const auto& x : some)
    if (!is_out(x))
      fitting.push_back(x);
  return one_of(fitting);
}

std::string schema_values::make_text(const json::object& schema) {
  if (const auto* format = schema.if_contains("format"); format != nullptr)
    return chance_.one_in(2) ? "2025-11-05T10:30:00Z" : "1999-12-31T23:59:59.999+02:00";
  if (schema.contains("pattern"))
    return "observation";
  auto result = std::string{one_of(odd_texts).as_string()};
  if (chance_.one_in(4))
    result += " " + std::to_string(chance_.below(1'000));
  return result;
}

} // namespace scratchpage::test
