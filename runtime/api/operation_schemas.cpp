#include "scratchpage/runtime/api/operation_schemas.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// The schema, or a reference to it if there are `names`.
template <class Make>
json::object refer(named_schemas* names, std::string_view name, Make make) {
  return names == nullptr ? make() : names->refer(name, make);
}

json::object explained(json::object schema, const char* description, const char* example) {
  schema["description"] = description;
  schema["examples"] = json::array(1, example);
  return schema;
}

json::object warnings() {
  json::object result{{"type", "array"}, {"items", {{"type", "string"}}},
    {"description", "What was corrected before it was stored"}};
  result["examples"] = json::array(1, json::array(1, "confidence was set to 1"));
  return result;
}

} // namespace

json::object schema_of_error() {
  json::object text{{"type", "string"}};
  return {{"type", "object"},
    {"properties",
      {{"code", explained(json_schema<errc>(members::open), "What kind of error it is",
                  "invalid_observation")},
        {"message", explained(text, "What is wrong, for people", "content: expected a text")},
        {"field", explained(text, "The member of the request that is wrong", "content")}}},
    {"required", {"code", "message"}}};
}

json::object schema_of_refusal(named_schemas* names) {
  return refer(names, "refusal", [names] {
    auto error = refer(names, "error", schema_of_error);
    error["description"] = "Why the draft was refused";
    return json::object{
      {"type", "object"}, {"properties", {{"error", std::move(error)}}}, {"required", {"error"}}};
  });
}

namespace detail {

json::object schema_of<observation_ptr>::make(const schema_form& form) {
  return schema_for<observation>(form);
}

json::value nested_example<observation_ptr>::make() {
  return example_object<observation>();
}

json::object schema_of<receipt>::make(const schema_form& form) {
  auto result = schema_for<observation>(form);
  auto& properties = result["properties"];
  if (properties.is_null()) // the observation is a reference
    properties = json::object{};
  properties.get_object()["warnings"] = warnings();
  return result;
}

json::object schema_of<add_outcomes>::make(const schema_form& form) {
  json::object results{{"type", "array"}, {"description", "One for each draft, in their order"},
    {"items", {{"anyOf", {schema_for<receipt>(form), schema_of_refusal(form.names)}}}}};
  return {{"type", "object"}, {"properties", {{"results", std::move(results)}}},
    {"required", {"results"}}};
}

} // namespace detail

template <>
answer_type answer_type_of<void>() {
  return [](named_schemas*) { return json::object{}; };
}

template <>
answer_type answer_type_of<observation_ptr>() {
  return [](named_schemas* names) -> json::object {
    auto there = detail::schema_for<observation>({members::open, names});
    return {{"anyOf", {std::move(there), {{"type", "null"}}}}};
  };
}

} // namespace scratchpage
