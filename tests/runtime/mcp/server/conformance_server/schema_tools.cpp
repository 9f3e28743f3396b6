#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"

namespace scratchpage::test {

namespace {

constexpr const char* keywords_of_2020_12 = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"}, "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]}, "else": {"required": ["email"]},
  "additionalProperties": false})";

constexpr const char* region_in_a_header = R"({
  "type": "object",
  "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})";

json::object schema(const char* text) {
  return json::parse(text).get_object();
}

} // namespace

tool_fixtures schema_tools() {
  return {
    {"json_schema_2020_12_tool", "Has a schema with every keyword",
      [](const json::object&, const call_ptr& by) { by->give(says("ok")); },
      schema(keywords_of_2020_12)},
    {"test_x_mcp_header", "Has an argument in a header",
      [](const json::object& arguments, const call_ptr& by) {
        by->give(says("region=" + argument(arguments, "region")));
      },
      schema(region_in_a_header)},
  };
}

} // namespace scratchpage::test
