#include "scratchpage/runtime/server/service_paths.hpp"

#include <string_view>

namespace scratchpage::serve {

namespace {

constexpr std::string_view health = R"({"get": {
  "operationId": "healthz", "summary": "Whether the process answers", "security": [], "parameters": [],
  "responses": {"200": {"description": "It does", "content": {"application/json": {"schema": {
    "type": "object", "required": ["status", "version"],
    "properties": {"status": {"const": "ok"}, "version": {"type": "string"}}}}}}}}})";

constexpr std::string_view readiness = R"({"get": {
  "operationId": "readyz", "summary": "Whether it would take a change", "security": [], "parameters": [],
  "responses": {
    "200": {"description": "It would", "content": {"application/json": {"schema": {
      "type": "object", "required": ["status"], "properties": {"status": {"const": "ready"}}}}}},
    "default": {"$ref": "#/components/responses/refused"}}}})";

constexpr std::string_view agents = R"({"get": {
  "operationId": "list_agents", "summary": "The agents there are, as far as you may see them", "parameters": [],
  "responses": {
    "200": {"description": "Their ids", "content": {"application/json": {"schema": {
      "type": "object", "required": ["agents"],
      "properties": {"agents": {"type": "array", "items": {"type": "string"}}}}}}},
    "default": {"$ref": "#/components/responses/refused"}}}})";

constexpr std::string_view events = R"({"get": {
  "operationId": "events",
  "summary": "What happens on a page, as it happens; messages of a WebSocket if one is asked for",
  "parameters": [
    {"name": "agent", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}},
    {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"},
     "description": "As the parameter `from`, in whose place it stands"}],
  "responses": {
    "200": {"description": "Server-sent events: the id is EPOCH-SEQUENCE, the event its kind",
            "content": {"text/event-stream": {"schema": {"type": "string"}}}},
    "default": {"$ref": "#/components/responses/refused"}}}})";

constexpr std::string_view rpc = R"({"post": {
  "operationId": "rpc",
  "summary": "JSON-RPC 2.0: the operations by their names. GET with a WebSocket: the same, and events",
  "parameters": [],
  "requestBody": {"required": true, "content": {"application/json": {"schema": {"anyOf": [
    {"type": "object"}, {"type": "array", "items": {"type": "object"}}]}}}},
  "responses": {
    "200": {"description": "The answers", "content": {"application/json": {"schema": {"anyOf": [
      {"$ref": "#/components/schemas/rpc_answer"},
      {"type": "array", "items": {"$ref": "#/components/schemas/rpc_answer"}}]}}}},
    "204": {"description": "Nobody wants an answer"},
    "default": {"$ref": "#/components/responses/refused"}}}})";

json::value parsed(std::string_view text) {
  return json::parse(json::string_view{text.data(), text.size()});
}

} // namespace

json::object service_paths() {
  return {{"/healthz", parsed(health)}, {"/readyz", parsed(readiness)},
    {"/v1/agents", parsed(agents)}, {"/v1/agents/{agent}/events", parsed(events)},
    {"/rpc", parsed(rpc)}};
}

} // namespace scratchpage::serve
