#include "scratchpage/runtime/server/rest.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/request_key.hpp"
#include "scratchpage/messages/version.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operation_schemas.hpp"
#include "scratchpage/runtime/events/event_order.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"

namespace scratchpage::server {

namespace {

constexpr std::string_view health = R"({"get": {
  "operationId": "healthz", "summary": "Liveness: the process answers",
  "security": [], "parameters": [],
  "responses": {"200": {"description": "Alive", "content": {"application/json": {"schema": {
    "type": "object", "required": ["status", "version"],
    "properties": {"status": {"const": "ok"}, "version": {"type": "string"}}}}}}}}})";

constexpr std::string_view readiness = R"({"get": {
  "operationId": "readyz", "summary": "Readiness: the server would accept a change",
  "security": [], "parameters": [],
  "responses": {
    "200": {"description": "Ready", "content": {"application/json": {"schema": {
      "type": "object", "required": ["status"], "properties": {"status": {"const": "ready"}}}}}},
    "default": {"$ref": "#/components/responses/refused"}}}})";

constexpr std::string_view agents = R"({"get": {
  "operationId": "list_agents", "summary": "The agents that you may access",
  "parameters": [{"name": "details", "in": "query", "schema": {"type": "boolean"},
    "description": "Whether to tell, too, what waits in each agent that is open"},
    {"name": "limit", "in": "query",
     "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1000},
     "description": "The maximum number of agents; there may be more although these are fewer"},
    {"name": "cursor", "in": "query", "schema": {"type": "string"},
     "description": "The `next_cursor` of an earlier answer, to continue there"}],
  "responses": {
    "200": {"description": "Their ids", "content": {"application/json": {"schema": {
      "type": "object", "required": ["agents"],
      "properties": {"agents": {"type": "array", "items": {"type": "string"}},
        "next_cursor": {"type": "string"},
        "details": {"type": "array", "items": {"type": "object", "required": ["agent_id"],
          "properties": {"agent_id": {"type": "string"}, "live": {"type": "integer"},
            "questions": {"type": "integer"}, "open_turns": {"type": "integer"},
            "goals": {"type": "integer"}, "actions": {"type": "integer"},
            "last_change_at": {"type": "string", "format": "date-time"}}}}}}}}},
    "default": {"$ref": "#/components/responses/refused"}}}})";

constexpr std::string_view threads = R"({"get": {
  "operationId": "list_threads", "summary": "Threads that have a scratchbook, the latest first",
  "parameters": [
    {"name": "agent", "in": "path", "required": true,
     "schema": {"type": "string", "minLength": 1}}],
  "responses": {
    "200": {"description": "The threads", "content": {"application/json": {"schema": {
      "type": "object", "required": ["threads", "left_out"],
      "properties": {"left_out": {"type": "integer"},
        "threads": {"type": "array", "items": {"type": "object",
          "required": ["thread_id", "items", "open"],
          "properties": {"thread_id": {"type": "string"}, "items": {"type": "integer"},
            "open": {"type": "integer"},
            "updated_at": {"type": "string", "format": "date-time"}}}}}}}}},
    "default": {"$ref": "#/components/responses/refused"}}}})";

constexpr std::string_view events = R"({"get": {
  "operationId": "events",
  "summary": "The events of a page as they happen, as server-sent events or on a WebSocket",
  "parameters": [
    {"name": "agent", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}},
    {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"},
     "description": "Replaces the parameter `from`"}],
  "responses": {
    "200": {"description": "Server-sent events: the id is EPOCH-SEQUENCE, the event its kind",
            "content": {"text/event-stream": {"schema": {"type": "string"}}}},
    "default": {"$ref": "#/components/responses/refused"}}}})";

constexpr std::string_view rpc = R"({"post": {
  "operationId": "rpc",
  "summary": "JSON-RPC 2.0: each method is an operation. GET with a WebSocket: also events",
  "parameters": [],
  "requestBody": {"required": true, "content": {"application/json": {"schema": {"anyOf": [
    {"type": "object"}, {"type": "array", "items": {"type": "object"}}]}}}},
  "responses": {
    "200": {"description": "The answers", "content": {"application/json": {"schema": {"anyOf": [
      {"$ref": "#/components/schemas/rpc_answer"},
      {"type": "array", "items": {"$ref": "#/components/schemas/rpc_answer"}}]}}}},
    "204": {"description": "No answer: all calls were notifications"},
    "default": {"$ref": "#/components/responses/refused"}}}})";

json::value parsed(std::string_view text) {
  return json::parse(json::string_view{text.data(), text.size()});
}

std::string in_lower_case(std::string_view method) {
  std::string result{method};
  std::transform(result.begin(), result.end(), result.begin(),
    [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  return result;
}

json::object content(json::object schema) {
  return {{"application/json", {{"schema", std::move(schema)}}}};
}

/// A parameter of the path; `members` are the schemas of the arguments.
json::object in_path(std::string_view name, const json::object& members) {
  json::object schema{{"type", "string"}, {"minLength", 1}};
  json::object result{{"name", view(name)}, {"in", "path"}, {"required", true}};
  if (name == "agent") {
    result["description"] = "The agent";
  } else if (name == "thread") {
    result["description"] = "The thread of the scratchbook";
  } else {
    const auto& argument = members.at(view(name)).get_object();
    result["description"] = argument.at("description");
    schema["examples"] = argument.at("examples");
  }
  result["schema"] = std::move(schema);
  return result;
}

/// A parameter of the query string. A list is repeated, an object has members after a dot.
json::object in_query(std::string_view name, json::object schema, bool is_required) {
  json::object result{{"name", view(name)}, {"in", "query"}};
  if (is_required)
    result["required"] = true;
  std::string text;
  if (const auto* description = schema.if_contains("description"))
    text.append(description->get_string()).append(". ");
  if (const auto* type = schema.if_contains("type"); type != nullptr && *type == "object")
    text.append("As JSON, or one parameter ").append(name).append(".NAME=VALUE for each member. ");
  schema.erase("description");
  if (!text.empty())
    result["description"] = view(std::string_view{text}.substr(0, text.size() - 2));
  result["schema"] = std::move(schema);
  return result;
}

json::array parameters_of_query(const json::object& schema) {
  json::array result, needed;
  if (const auto* names = schema.if_contains("required"))
    needed = names->get_array();
  for (const auto& member : schema.at("properties").get_object()) {
    auto is_required = std::any_of(needed.begin(), needed.end(),
      [&](const json::value& name) { return name.get_string() == member.key(); });
    result.push_back(in_query(member.key(), member.value().get_object(), is_required));
  }
  return result;
}

json::array parameters_of_route(const route& x) {
  auto arguments = x.of->performed.takes.schema(nullptr);
  json::array result;
  for (auto name : parameters_of(x))
    result.push_back(in_path(name, arguments.at("properties").get_object()));
  if (x.from == arguments_in::query)
    for (auto& one : parameters_of_query(query_schema_of(x)))
      result.push_back(std::move(one));
  if (x.of->performed.takes.has_request_key)
    result.push_back({{"name", "Idempotency-Key"}, {"in", "header"},
      {"schema",
        {{"type", "string"}, {"minLength", 1}, {"maxLength", request_key_limits::characters}}},
      {"description", "As the member request_key of a body. The key may be in quotation marks"}});
  return result;
}

/// The schema of the body: the arguments without those in the path.
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
  return schema;
}

json::object describe_body(const route& x, named_schemas& names) {
  const auto& takes = x.of->performed.takes;
  auto schema = body_of(x, takes.schema(&names));
  auto is_required = schema.contains("required");
  return {{"required", is_required},
    {"content", content(names.refer(takes.name, [&] { return std::move(schema); }))}};
}

json::object answers_of(const route& x, named_schemas& names) {
  json::object done{{"description", "Done"}};
  if (x.status != 204)
    done["content"] = content(x.of->performed.gives(&names));
  return {{std::to_string(x.status), std::move(done)},
    {"default", {{"$ref", "#/components/responses/refused"}}}};
}

json::object operation_of(const route& x, named_schemas& names) {
  json::object result{{"operationId", std::string{x.operation} + "_" + in_lower_case(x.method)},
    {"summary", view(x.of->description)}, {"parameters", parameters_of_route(x)}};
  if (x.from == arguments_in::body)
    result["requestBody"] = describe_body(x, names);
  result["responses"] = answers_of(x, names);
  return result;
}

/// The paths that are no routes of REST.
json::object other_paths() {
  auto paths = service_paths();
  auto add = [&](json::string_view path, json::string_view method, const json::object& schema) {
    auto& operation = paths[path].get_object()[method].get_object();
    for (auto& one : parameters_of_query(schema))
      operation["parameters"].get_array().push_back(std::move(one));
  };
  add("/v1/agents/{agent}/events", "get", events::schema_of_event_order());
  add("/rpc", "post", schema_of_rpc_target());
  return paths;
}

json::object schemas_of(const named_schemas& names) {
  json::object result;
  for (const auto& [name, schema] : names.all())
    result[name] = schema;
  result["rpc_answer"] = {{"type", "object"},
    {"properties", {{"jsonrpc", {{"const", "2.0"}}}, {"error", {{"type", "object"}}}}},
    {"required", {"jsonrpc", "id"}},
    {"oneOf", {{{"required", {"result"}}}, {{"required", {"error"}}}}}};
  return result;
}

json::object components(named_schemas& names) {
  auto refused = schema_of_refusal(&names);
  return {{"schemas", schemas_of(names)},
    {"responses",
      {{"refused", {{"description", "Refused; the error names the field and what was expected"},
                     {"content", content(std::move(refused))}}}}},
    {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}};
}

} // namespace

json::object service_paths() {
  return {{"/healthz", parsed(health)}, {"/readyz", parsed(readiness)},
    {"/v1/agents", parsed(agents)}, {"/v1/agents/{agent}/events", parsed(events)},
    {"/v1/agents/{agent}/threads", parsed(threads)}, {"/rpc", parsed(rpc)}};
}

json::object openapi_document() {
  auto paths = other_paths();
  named_schemas names;
  for (const auto& x : all_routes()) {
    auto& at = paths[view(x.path)];
    if (at.is_null())
      at = json::object{};
    at.get_object()[in_lower_case(x.method)] = operation_of(x, names);
  }
  return {{"openapi", "3.1.0"},
    {"info", {{"title", "Scratchpage"}, {"version", view(version)},
               {"description", "A member that is null means the same as an absent member."},
               {"summary", "The working memory and message bus of a team of AI daemons"}}},
    {"paths", std::move(paths)}, {"components", components(names)},
    {"security", {json::object{}, {{"token", json::array{}}}}}};
}

} // namespace scratchpage::server
