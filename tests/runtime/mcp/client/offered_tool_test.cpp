#include "scratchpage/runtime/mcp/client/tool_mapping.hpp"

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage::mcp_client {

namespace {

const offer_rules rules{"files", {}, 1500};

tool_manifest manifest_of(std::string_view tool) {
  auto result = to_manifest(*parse_json(tool), rules);
  if (!result)
    BOOST_FAIL(describe(result.error()));
  return std::move(*result);
}

std::string effects(std::string_view annotations) {
  auto x = manifest_of(R"({"name": "t", "inputSchema": {"type": "object"}, "annotations": )"
                       + std::string{annotations} + "}");
  std::string result = x.idempotent ? "again" : "once";
  for (const auto& tag : x.tags)
    result += " " + tag;
  return result;
}

} // namespace

BOOST_AUTO_TEST_SUITE(offered_tool)

BOOST_AUTO_TEST_CASE(a_tool_keeps_its_name_behind_the_servers_and_its_schema) {
  auto x = manifest_of(R"({"name": "read_file", "description": "Reads it",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}},
                    "required": ["path"]}})");
  BOOST_TEST(x.tool_id == "files.read_file");
  BOOST_TEST(x.description == "Reads it");
  BOOST_TEST(x.timeout_ms == 1500);
  BOOST_TEST(to_text(x.inputs.at("required")) == R"(["path"])");
  BOOST_TEST(own_name(x.tool_id, "files") == "read_file");
  BOOST_TEST(own_name(x.tool_id, "file") == "");
  BOOST_TEST(own_name("files.", "files") == "");
}

BOOST_AUTO_TEST_CASE(annotations_become_what_mandates_judge_by) {
  BOOST_TEST(effects("{}") == "once destructive open_world");
  BOOST_TEST(effects(R"({"readOnlyHint": true})") == "again read_only open_world");
  BOOST_TEST(effects(R"({"destructiveHint": false})") == "once open_world");
  BOOST_TEST(
    effects(R"({"destructiveHint": false, "idempotentHint": true, "openWorldHint": false})")
    == "again");
  BOOST_TEST(effects(R"({"readOnlyHint": "yes"})") == "once destructive open_world");
  BOOST_TEST(effects("null") == "once destructive open_world");
}

BOOST_AUTO_TEST_CASE(a_tool_with_headers_that_cannot_be_is_none_over_http) {
  auto tool = *parse_json(R"({"name": "t", "inputSchema": {"type": "object",
    "properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}})");
  BOOST_TEST(!!to_manifest(tool, rules));
  auto over_http = rules;
  over_http.over_http = true;
  auto refused = to_manifest(tool, over_http);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(field_of(refused.error()) == "x-mcp-header");
}

BOOST_AUTO_TEST_CASE(a_schema_that_cannot_be_read_is_left_to_the_server) {
  auto x =
    manifest_of(R"({"name": "t", "inputSchema": {"type": "object", "properties": {"any": true}}})");
  BOOST_TEST(x.inputs.empty());
  BOOST_TEST(manifest_of(R"({"name": "t"})").inputs.empty());
}

BOOST_AUTO_TEST_CASE(names_that_are_none_and_schemas_without_end_are_refused) {
  for (const auto* name : {"", "a b", "a\\n", "\\u00e4"}) {
    auto x = to_manifest(*parse_json(R"({"name": ")" + std::string{name} + "\"}"), rules);
    BOOST_REQUIRE(!x);
    BOOST_TEST(field_of(x.error()) == "name");
  }
  auto large = to_manifest(
    json::object{{"name", "t"}, {"inputSchema", {{"description", std::string(70'000, 'x')}}}},
    rules);
  BOOST_REQUIRE(!large);
  BOOST_TEST(field_of(large.error()) == "inputSchema");
}

BOOST_AUTO_TEST_CASE(a_long_description_is_cut) {
  auto x =
    to_manifest(json::object{{"name", "t"}, {"description", std::string(20'000, 'x')}}, rules);
  BOOST_REQUIRE(x);
  BOOST_TEST(x->description.size() == 8192u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::mcp_client
