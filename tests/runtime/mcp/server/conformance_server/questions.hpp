#pragma once

#include <string_view>

#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/call.hpp"

/// Short functions that create questions to the client and read its answers.

namespace scratchpage::test {

inline mcp::question form(
  std::string_view message, json::object properties, json::array required = {}) {
  return {"elicitation/create",
    {{"message", view(message)},
      {"requestedSchema", {{"type", "object"}, {"properties", std::move(properties)},
                            {"required", std::move(required)}}}}};
}

/// A form with one text field.
inline mcp::question text_form(std::string_view message, std::string_view name) {
  return form(message, {{view(name), {{"type", "string"}}}}, json::array{view(name)});
}

inline mcp::question prompt_of_model(std::string_view text, int most_tokens) {
  json::object content{{"type", "text"}, {"text", view(text)}};
  json::object message{{"role", "user"}, {"content", std::move(content)}};
  return {"sampling/createMessage",
    {{"messages", json::array{std::move(message)}}, {"maxTokens", most_tokens}}};
}

inline mcp::question folders() {
  return {"roots/list", {}};
}

/// The value of a form's field; "" if it was not filled.
inline std::string filled_in(const json::object& answer, std::string_view name) {
  const auto* content = mcp::object_in(answer, "content");
  return content != nullptr ? mcp::text_in(*content, name).value_or("") : "";
}

} // namespace scratchpage::test
