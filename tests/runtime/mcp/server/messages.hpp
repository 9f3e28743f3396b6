#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json.hpp"

/// Short functions that create messages of a client and read the answers.

namespace scratchpage::test {

inline json::object request_of(json::value id, std::string_view method, json::object params = {}) {
  return {{"jsonrpc", "2.0"}, {"id", std::move(id)},
    {"method", json::string_view{method.data(), method.size()}}, {"params", std::move(params)}};
}

inline json::object notice_of(std::string_view method, json::object params = {}) {
  auto result = request_of(0, method, std::move(params));
  result.erase("id");
  return result;
}

/// Parameters with the `_meta` members that clients of 2026-07-28 always send.
inline json::object modern_params(
  json::object params = {}, json::object capabilities = {}, json::object with = {}) {
  with["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  with["io.modelcontextprotocol/clientCapabilities"] = std::move(capabilities);
  params["_meta"] = std::move(with);
  return params;
}

inline json::object call_of(std::string_view tool, json::object arguments = {}) {
  return {
    {"name", json::string_view{tool.data(), tool.size()}}, {"arguments", std::move(arguments)}};
}

inline int64_t code_in(const json::value& x) {
  return x.at("error").at("code").to_number<int64_t>();
}

/// The text in a tool's result.
inline std::string text_in_result(const json::value& x) {
  return std::string{x.at("result").at("content").at(0).at("text").as_string()};
}

inline std::string method_in(const json::value& x) {
  const auto* method = x.as_object().if_contains("method");
  return method != nullptr ? std::string{method->as_string()} : "";
}

/// The methods of messages in order; "answer" for messages without a method.
inline std::string methods_in(const std::vector<json::value>& xs) {
  std::string result;
  for (const auto& x : xs) {
    auto method = method_in(x);
    result += (result.empty() ? "" : " ") + (method.empty() ? "answer" : method);
  }
  return result;
}

} // namespace scratchpage::test
