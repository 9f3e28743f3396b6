#include "scratchpage/runtime/mcp/client/call_outcome.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/mcp/client/members.hpp"

namespace scratchpage::mcp_client {

namespace {

constexpr size_t max_described = 64;     // blocks that are no text
constexpr size_t max_word_bytes = 256;   // of an address or a MIME type
constexpr size_t max_error_bytes = 4096; // of an error's text

/// The members of `from` that tell what something is.
json::object described(const json::object& from, std::string_view kind) {
  json::object result{{"type", json::string_view{kind.data(), kind.size()}}};
  for (auto member : {"uri", "name", "mimeType"})
    if (auto text = text_of(from, member); !text.empty())
      result[member] = printable(text, max_word_bytes);
  if (const auto data = text_of(from, "data").size() + text_of(from, "blob").size(); data > 0)
    result["base64_bytes"] = data;
  return result;
}

/// A result while its blocks are read.
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

/// A structure of one member, as servers wrap what is none; else null.
const json::value* wrapped(const json::value& structured) {
  const auto* object = structured.if_object();
  return object != nullptr && object->size() == 1 ? &object->begin()->value() : nullptr;
}

/// Whether the text is the structure, or what is wrapped in it, as JSON.
bool is_text_of(const json::value& structured, const std::string& text) {
  auto parsed = parse_json(
    text, {.max_bytes = text.size() + 1, .max_members = json_limits::members_of_results});
  const auto* inside = wrapped(structured);
  return parsed && (*parsed == structured || (inside != nullptr && *parsed == *inside));
}

/// Whether nothing is wrapped in it but the text itself.
bool is_wrapped_text(const json::value& structured, const std::string& text) {
  const auto* inside = wrapped(structured);
  return inside != nullptr && inside->is_string() && inside->get_string() == text;
}

/// Adds the structure, and sees to it that nothing is said twice.
void add_structure(const json::value& structured, const std::string& text, json::object& outputs) {
  if (outputs.contains("text") && is_wrapped_text(structured, text))
    return;
  if (is_text_of(structured, text))
    outputs.erase("text");
  outputs["structured"] = structured;
}

} // namespace

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
  case -32602: // invalid params; also what an unknown tool is
    return tool_failure::invalid_input;
  default:
    return tool_failure::other;
  }
}

} // namespace scratchpage::mcp_client
