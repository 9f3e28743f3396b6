#include "scratchpage/runtime/mcp/client/offered_tool.hpp"

#include <algorithm>

#include "scratchpage/actors/policies/words.hpp"
#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/mcp/client/members.hpp"
#include "scratchpage/runtime/mcp/protocol/header_arguments.hpp"

namespace scratchpage::mcp_client {

namespace {

constexpr size_t max_name = 128;                     // as MCP has it
constexpr size_t max_description_bytes = 8UL * 1024; // of what a model reads
constexpr size_t max_schema_bytes = 64UL * 1024;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
         || c == '-' || c == '.' || c == '/';
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= max_name
         && std::all_of(text.begin(), text.end(), is_name_character);
}

/// What an annotation says, or what MCP takes for granted where it says nothing.
bool hint(const json::object& tool, const char* name, bool otherwise) {
  const auto* all = tool.if_contains("annotations");
  if (all == nullptr || !all->is_object())
    return otherwise;
  const auto* value = all->get_object().if_contains(name);
  return value != nullptr && value->is_bool() ? value->get_bool() : otherwise;
}

void add_effects(const json::object& tool, tool_manifest& to) {
  auto reads_only = hint(tool, "readOnlyHint", false);
  to.idempotent = reads_only || hint(tool, "idempotentHint", false);
  if (reads_only)
    to.tags.emplace_back("read_only");
  else if (hint(tool, "destructiveHint", true))
    to.tags.emplace_back("destructive");
  if (hint(tool, "openWorldHint", true))
    to.tags.emplace_back("open_world");
}

/// An empty one accepts everything.
json::object schema_of(const json::object& tool) {
  const auto* schema = tool.if_contains("inputSchema");
  if (schema == nullptr || !schema->is_object() || input_schema{schema->get_object()}.validate())
    return {};
  return schema->get_object();
}

} // namespace

bool is_wanted(const offer_rules& rules, std::string_view tool) {
  return rules.wanted.empty()
         || std::any_of(rules.wanted.begin(), rules.wanted.end(),
           [&](const std::string& pattern) { return matches_pattern(pattern, tool); });
}

caf::expected<tool_manifest> to_manifest(const json::value& tool, const offer_rules& rules) {
  const auto* described = tool.if_object();
  if (described == nullptr)
    return fail(errc::invalid_request, "tools", "expected objects");
  auto name = text_of(*described, "name");
  if (!is_name(name))
    return fail(errc::invalid_request, "name",
      "expected 1 to 128 letters, digits, '_', '-', '.' and '/', but it is " + printable(name));
  tool_manifest result;
  result.tool_id = rules.server + "." + std::string{name};
  result.description = utf8::shortened(
    text_of(*described, text_of(*described, "description").empty() ? "title" : "description"),
    max_description_bytes);
  result.inputs = schema_of(*described);
  if (to_text(result.inputs).size() > max_schema_bytes)
    return fail(errc::invalid_request, "inputSchema",
      "expected at most " + std::to_string(max_schema_bytes) + " bytes");
  const auto* schema = object_in(*described, "inputSchema");
  if (auto wrong = rules.over_http && schema != nullptr ? mcp::wrong_header(*schema) : std::nullopt)
    return fail(errc::invalid_request, "x-mcp-header",
      *wrong + ", but the tool " + std::string{name} + " has it otherwise");
  result.timeout_ms = rules.timeout_ms;
  add_effects(*described, result);
  return result;
}

std::string own_name(std::string_view tool_id, std::string_view server) {
  auto is_of_server = tool_id.size() > server.size() + 1 && tool_id.starts_with(server)
                      && tool_id[server.size()] == '.';
  return is_of_server ? std::string{tool_id.substr(server.size() + 1)} : std::string{};
}

} // namespace scratchpage::mcp_client
