#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/codec.hpp"

/// Short functions that create tools and requests.

namespace scratchpage::test {

inline json::object object(std::string_view text) {
  return parse_json(text)->get_object();
}

inline tool_request request(std::string tool_id, std::string request_id, json::object inputs = {}) {
  tool_request result;
  result.tool_id = std::move(tool_id);
  result.request_id = std::move(request_id);
  result.inputs = std::move(inputs);
  return result;
}

inline tool_manifest manifest(std::string tool_id, double timeout_ms = 1000) {
  tool_manifest result;
  result.tool_id = std::move(tool_id);
  result.timeout_ms = timeout_ms;
  return result;
}

inline tool_definition function(std::string tool_id, tool_function call, double timeout_ms = 1000) {
  return {manifest(std::move(tool_id), timeout_ms), function_tool{std::move(call)}};
}

/// An answer with the output `{"n": value}`.
inline recorded_response answer(int value, std::string call_id = {}) {
  recorded_response result;
  result.call_id = std::move(call_id);
  result.outputs["n"] = value;
  return result;
}

inline std::string output(const tool_response& x, std::string_view name) {
  const auto* value = x.outputs.if_contains({name.data(), name.size()});
  if (value == nullptr)
    return "(none)";
  return value->is_string() ? std::string{value->get_string()} : to_text(*value);
}

/// "ok n=3", "error: text", …
inline std::string summary(const tool_response& x) {
  auto result = to_string(x.status);
  for (auto name : {"error", "note"})
    if (x.outputs.contains(name))
      return result + ": " + output(x, name);
  return result + " n=" + output(x, "n");
}

} // namespace scratchpage::test
