#include "scratchpage/runtime/mcp/server/http_headers.hpp"

#include <charconv>

#include "scratchpage/runtime/mcp/protocol/members.hpp"
#include "scratchpage/runtime/net/http/header_text.hpp"

namespace scratchpage::mcp {

namespace {

error mismatch(std::string_view header, std::string_view expected) {
  return {header_mismatch,
    "Header mismatch: " + std::string{header} + ": expected " + std::string{expected}, {}};
}

/// Where a request has what its `Mcp-Name` says.
std::string_view name_member(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get")
    return "name";
  return method == "resources/read" ? "uri" : "";
}

bool is_written_as(const json::value& x, const std::string& text) {
  if (x.is_string())
    return text_of(x) == text;
  if (x.is_bool())
    return text == (x.get_bool() ? "true" : "false");
  if (!x.is_number())
    return false;
  double number = 0;
  const auto* end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc{} && stop == end && number == x.to_number<double>();
}

std::optional<error> refuse_argument(
  const http::request& x, const header_argument& argument, const json::object* arguments) {
  const auto* given = argument_at(arguments, argument.path);
  auto header = header_in(x, argument.header);
  if (given == nullptr)
    return header ? std::optional{mismatch(argument.header, "none, as the argument is not there")}
                  : std::nullopt;
  auto text = header ? decoded(*header) : std::nullopt;
  if (text && is_written_as(*given, *text))
    return std::nullopt;
  return mismatch(argument.header, "what the argument says");
}

} // namespace

std::optional<std::string> header_in(const http::request& x, std::string_view name) {
  const auto* value = x.header(name);
  if (value == nullptr)
    return std::nullopt;
  return std::string{http::without_blanks(*value)};
}

std::optional<error> refuse_headers(const http::request& x, const rpc::request& call,
  const envelope& said, const header_arguments& tools) {
  if (header_in(x, "mcp-protocol-version") != said.version)
    return mismatch("MCP-Protocol-Version", "what _meta says: " + said.version);
  if (auto why = refuse_version(said.version))
    return why;
  if (header_in(x, "mcp-method") != call.method)
    return mismatch("Mcp-Method", "what method says: " + call.method);
  auto from = name_member(call.method);
  auto name = from.empty() ? std::nullopt : text_in(call.params, from);
  if (!name)
    return std::nullopt;
  auto header = header_in(x, "mcp-name");
  if (!header || decoded(*header) != name)
    return mismatch("Mcp-Name", "what params." + std::string{from} + " says: " + *name);
  auto tool = call.method == "tools/call" ? tools.find(*name) : tools.end();
  if (tool == tools.end())
    return std::nullopt;
  for (const auto& argument : tool->second)
    if (auto why = refuse_argument(x, argument, object_in(call.params, "arguments")))
      return why;
  return std::nullopt;
}

} // namespace scratchpage::mcp
