#pragma once

#include <string>
#include <string_view>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

/// Short functions that create content blocks and results.

namespace scratchpage::test {

inline constexpr std::string_view small_png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg"
  "gg==";
inline constexpr std::string_view silent_wav =
  "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

inline json::object text_block(std::string_view text) {
  return {{"type", "text"}, {"text", view(text)}};
}

inline json::object image_block() {
  return {{"type", "image"}, {"data", view(small_png)}, {"mimeType", "image/png"}};
}

inline json::object resource_block(
  std::string_view uri, std::string_view type, std::string_view text) {
  return {{"type", "resource"},
    {"resource", {{"uri", view(uri)}, {"mimeType", view(type)}, {"text", view(text)}}}};
}

/// A tool result with a text.
inline json::object says(std::string_view text) {
  return {{"content", {text_block(text)}}};
}

/// The value of a text argument; "" if there is none.
inline std::string argument(const json::object& of, std::string_view name) {
  return mcp::text_in(of, name).value_or("");
}

} // namespace scratchpage::test
