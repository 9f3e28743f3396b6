#include "scratchpage/runtime/mcp/client/tool_mapping.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/tools/input_schema.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/mcp/protocol/header_arguments.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp_client {

using mcp::object_in;
using mcp::text_of;

namespace {

constexpr size_t longest_name = 128;                 // MCP's limit
constexpr size_t max_description_bytes = 8UL * 1024; // for a model
constexpr size_t max_schema_bytes = 64UL * 1024;

bool is_mapped_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
         || c == '-' || c == '.' || c == '/';
}

bool is_mapped_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_name
         && std::all_of(text.begin(), text.end(), is_mapped_character);
}

/// The value of an annotation, or MCP's default for it.
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

/// The schema of a tool's inputs; an empty one, which accepts everything, if it cannot be read.
json::object schema_of(const json::object& tool) {
  const auto* schema = tool.if_contains("inputSchema");
  if (schema == nullptr || !schema->is_object() || input_schema{schema->get_object()}.validate())
    return {};
  return schema->get_object();
}

constexpr size_t max_described = 64;     // blocks that are no text
constexpr size_t max_word_bytes = 256;   // of an address or a MIME type
constexpr size_t max_error_bytes = 4096; // of an error's text

/// Describes a block by its members, without its data.
json::object described(const json::object& from, std::string_view kind) {
  json::object result{{"type", json::string_view{kind.data(), kind.size()}}};
  for (auto member : {"uri", "name", "mimeType"})
    if (auto text = text_of(from, member); !text.empty())
      result[member] = printable(text, max_word_bytes);
  if (const auto data = text_of(from, "data").size() + text_of(from, "blob").size(); data > 0)
    result["base64_bytes"] = data;
  return result;
}

/// Collects the blocks of a result.
struct reading {
  explicit reading(size_t max_bytes)
    : room{max_bytes} {}

  void add_text(std::string_view more) {
    if (!text.empty())
      text += "\n\n";
    auto fits = utf8::shortened(more, room);
    is_cut = is_cut || fits.size() < more.size();
    room -= std::min(room, more.size());
    text += fits;
  }

  void add_other(json::object block) {
    if (others.size() < max_described)
      others.push_back(std::move(block));
    else
      is_cut = true;
  }

  void add(const json::object& block) {
    auto type = text_of(block, "type");
    const auto* resource = object_in(block, "resource");
    if (type == "text") {
      add_text(text_of(block, "text"));
    } else if (type == "resource" && resource != nullptr) {
      if (auto inside = text_of(*resource, "text"); !inside.empty())
        add_text(inside);
      add_other(described(*resource, "resource"));
    } else {
      add_other(described(block, printable(type, max_word_bytes)));
    }
  }

  size_t room; ///< bytes that still fit
  std::string text;
  json::array others;
  bool is_cut = false;
};

/// The value in a structure with a single member, since servers wrap other values so; else null.
const json::value* wrapped(const json::value& structured) {
  const auto* object = structured.if_object();
  return object != nullptr && object->size() == 1 ? &object->begin()->value() : nullptr;
}

/// Whether the text is the JSON of the structure, or of the value wrapped in it.
bool is_text_of(const json::value& structured, const std::string& text) {
  auto parsed = parse_json(
    text, {.max_bytes = text.size() + 1, .max_members = json_limits::members_of_results});
  const auto* inside = wrapped(structured);
  return parsed && (*parsed == structured || (inside != nullptr && *parsed == *inside));
}

/// Whether the structure only wraps the text.
bool is_wrapped_text(const json::value& structured, const std::string& text) {
  const auto* inside = wrapped(structured);
  return inside != nullptr && inside->is_string() && inside->get_string() == text;
}

/// Adds the structure, unless that repeats the text; removes a text that repeats the structure.
void add_structure(const json::value& structured, const std::string& text, json::object& outputs) {
  if (outputs.contains("text") && is_wrapped_text(structured, text))
    return;
  if (is_text_of(structured, text))
    outputs.erase("text");
  outputs["structured"] = structured;
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
  if (!is_mapped_name(name))
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
      *wrong + ", but the tool " + std::string{name} + " has another one");
  result.timeout_ms = rules.timeout_ms;
  add_effects(*described, result);
  return result;
}

std::string own_name(std::string_view tool_id, std::string_view server) {
  auto is_of_server = tool_id.size() > server.size() + 1 && tool_id.starts_with(server)
                      && tool_id[server.size()] == '.';
  return is_of_server ? std::string{tool_id.substr(server.size() + 1)} : std::string{};
}

call_outcome read_result(const json::object& result, size_t max_bytes) {
  reading read{max_bytes};
  if (const auto* content = result.if_contains("content");
      content != nullptr && content->is_array())
    for (const auto& block : content->get_array())
      if (const auto* object = block.if_object())
        read.add(*object);
  call_outcome outcome;
  const auto* failed = result.if_contains("isError");
  if (failed != nullptr && failed->is_bool() && failed->get_bool()) {
    outcome.status = tool_status::error;
    outcome.outputs["error"] = read.text.empty() ? "the tool failed and did not say why"
                                                 : utf8::shortened(read.text, max_error_bytes);
  } else if (!read.text.empty()) {
    outcome.outputs["text"] = read.text;
  }
  if (const auto* structured = result.if_contains("structuredContent")) {
    auto fits = to_text(*structured).size() <= max_bytes;
    read.is_cut = read.is_cut || !fits;
    if (fits)
      add_structure(*structured, read.text, outcome.outputs);
  }
  if (!read.others.empty())
    outcome.outputs["other"] = std::move(read.others);
  if (read.is_cut && outcome.status == tool_status::ok) {
    outcome.status = tool_status::partial;
    outcome.outputs["note"] =
      "the result was longer than " + std::to_string(max_bytes) + " bytes; the rest was left out";
  }
  return outcome;
}

call_outcome failed_outcome(tool_failure why, std::string_view text) {
  auto response = failed_call({}, why, text);
  return {response.status, std::move(response.outputs)};
}

std::string describe_rpc_error(const json::value& error) {
  const auto* object = error.if_object();
  if (object == nullptr)
    return "answered with an error that says nothing";
  std::string result = "answered with an error";
  if (const auto* code = object->if_contains("code"); code != nullptr && code->is_int64())
    result += " " + std::to_string(code->get_int64());
  return result + ": " + printable(text_of(*object, "message"), max_error_bytes);
}

tool_failure class_of_rpc_error(const json::value& error) {
  const auto* object = error.if_object();
  const auto* code = object != nullptr ? object->if_contains("code") : nullptr;
  if (code == nullptr || !code->is_int64())
    return tool_failure::other;
  switch (code->get_int64()) {
  case -32601: // method not found
    return tool_failure::not_found;
  case -32602: // invalid params; also for an unknown tool
    return tool_failure::invalid_input;
  default:
    return tool_failure::other;
  }
}

} // namespace scratchpage::mcp_client
