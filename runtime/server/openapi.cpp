#include "scratchpage/runtime/server/openapi.hpp"

#include <algorithm>
#include <string>

#include "scratchpage/messages/json/json_view.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/runtime/server/route.hpp"
#include "scratchpage/runtime/server/rpc_target.hpp"
#include "scratchpage/runtime/server/service_paths.hpp"

namespace scratchpage::serve {

namespace {

std::string small(std::string_view method) {
  std::string result{method};
  std::transform(result.begin(), result.end(), result.begin(),
    [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  return result;
}

std::string_view description_of(std::string_view name) {
  const auto& all = all_operations();
  auto found =
    std::find_if(all.begin(), all.end(), [&](const operation& x) { return x.name == name; });
  return found == all.end() ? std::string_view{} : found->description;
}

json::object content(json::object schema) {
  return {{"application/json", {{"schema", std::move(schema)}}}};
}

json::object in_path(std::string_view name) {
  return {{"name", view(name)}, {"in", "path"}, {"required", true},
    {"schema", {{"type", "string"}, {"minLength", 1}}}};
}

/// A list is a parameter that is there again, an object one with members after a dot.
json::object in_query(std::string_view name, const json::object& schema) {
  json::object result{{"name", view(name)}, {"in", "query"}, {"schema", schema}};
  const auto* type = schema.if_contains("type");
  if (type != nullptr && *type == "object")
    result["description"] = "As JSON, or its members as " + std::string{name} + ".NAME=VALUE";
  return result;
}

json::array parameters_of_query(const json::object& schema) {
  json::array result;
  for (const auto& member : schema.at("properties").get_object())
    result.push_back(in_query(member.key(), member.value().get_object()));
  return result;
}

json::array parameters_of_route(const route& x) {
  json::array result;
  for (auto name : parameters_of(x))
    result.push_back(in_path(name));
  if (x.from == arguments_in::query)
    for (auto& one : parameters_of_query(query_schema_of(x.operation)))
      result.push_back(std::move(one));
  return result;
}

/// The body, without what the path says.
json::object body_of(const route& x, json::object schema) {
  for (auto name : parameters_of(x)) {
    schema["properties"].get_object().erase(view(name));
    if (auto* needed = schema.if_contains("required")) {
      auto& names = needed->get_array();
      for (auto i = names.begin(); i != names.end();)
        i = i->get_string() == view(name) ? names.erase(i) : i + 1;
      if (names.empty())
        schema.erase("required");
    }
  }
  return {{"required", schema.contains("required")}, {"content", content(std::move(schema))}};
}

json::object answers_of(const route& x, json::object schema) {
  json::object done{{"description", "Done"}};
  if (x.status != 204)
    done["content"] = content(std::move(schema));
  return {{std::to_string(x.status), std::move(done)},
    {"default", {{"$ref", "#/components/responses/refused"}}}};
}

json::object describe(const route& x) {
  auto schema = schema_of_operation(x.operation);
  json::object result{{"operationId", std::string{x.operation} + "_" + small(x.method)},
    {"summary", view(description_of(x.operation))}, {"parameters", parameters_of_route(x)}};
  if (x.from == arguments_in::body)
    result["requestBody"] = body_of(x, std::move(schema.arguments));
  result["responses"] = answers_of(x, std::move(schema.result));
  return result;
}

/// What has no route of REST.
json::object other_paths() {
  auto paths = service_paths();
  auto add = [&](json::string_view path, json::string_view method, const json::object& schema) {
    auto& operation = paths[path].get_object()[method].get_object();
    for (auto& one : parameters_of_query(schema))
      operation["parameters"].get_array().push_back(std::move(one));
  };
  add("/v1/agents/{agent}/events", "get", schema_of_event_order());
  add("/rpc", "post", schema_of_rpc_target());
  return paths;
}

json::object components() {
  json::object refused{
    {"type", "object"}, {"properties", {{"error", schema_of_error()}}}, {"required", {"error"}}};
  json::object rpc_answer{{"type", "object"},
    {"properties", {{"jsonrpc", {{"const", "2.0"}}}, {"error", {{"type", "object"}}}}},
    {"required", {"jsonrpc", "id"}},
    {"oneOf", {{{"required", {"result"}}}, {{"required", {"error"}}}}}};
  return {{"schemas", {{"rpc_answer", std::move(rpc_answer)}}},
    {"responses",
      {{"refused", {{"description", "Refused; the error names the field and what was expected"},
                     {"content", content(std::move(refused))}}}}},
    {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}};
}

} // namespace

json::object openapi_document() {
  auto paths = other_paths();
  for (const auto& x : all_routes()) {
    auto& at = paths[view(x.path)];
    if (at.is_null())
      at = json::object{};
    at.get_object()[small(x.method)] = describe(x);
  }
  return {{"openapi", "3.1.0"},
    {"info", {{"title", "Scratchpage"}, {"version", view(version)},
               {"description", "A null is as good as a member that is not there."},
               {"summary", "The working memory and message bus of a team of AI daemons"}}},
    {"paths", std::move(paths)}, {"components", components()},
    {"security", {json::object{}, {{"token", json::array{}}}}}};
}

} // namespace scratchpage::serve
