#include "scratchpage/runtime/mcp/http_headers.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/runtime/mcp/members.hpp"

namespace scratchpage::mcp {

namespace {

constexpr std::string_view encoded_begin = "=?base64?";
constexpr std::string_view encoded_end = "?=";
constexpr size_t most_depth = 8;

std::string in_small_letters(std::string_view x) {
  std::string result{x};
  std::transform(result.begin(), result.end(), result.begin(),
    [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view without_blanks(std::string_view x) {
  constexpr std::string_view blanks = " \t";
  auto begin = x.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return x.substr(begin, x.find_last_not_of(blanks) - begin + 1);
}

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

void collect(const json::object& schema, const std::vector<std::string>& path,
  std::vector<header_argument>& into) {
  const auto* properties = object_in(schema, "properties");
  if (properties == nullptr || path.size() >= most_depth)
    return;
  for (const auto& [name, x] : *properties) {
    const auto* property = x.if_object();
    if (property == nullptr)
      continue;
    auto deeper = path;
    deeper.emplace_back(name.data(), name.size());
    if (auto header = text_in(*property, "x-mcp-header"))
      into.push_back({deeper, "mcp-param-" + in_small_letters(*header)});
    collect(*property, deeper, into);
  }
}

/// Null: it is not there, or null.
const json::value* argument_at(
  const json::object* arguments, const std::vector<std::string>& path) {
  const json::value* found = nullptr;
  for (const auto& step : path) {
    found = arguments != nullptr ? member(*arguments, step) : nullptr;
    arguments = found != nullptr ? found->if_object() : nullptr;
  }
  return found != nullptr && !found->is_null() ? found : nullptr;
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
  return std::string{without_blanks(*value)};
}

std::optional<std::string> decoded(std::string_view value) {
  if (!value.starts_with(encoded_begin) || !value.ends_with(encoded_end)
      || value.size() < encoded_begin.size() + encoded_end.size())
    return std::string{value};
  value.remove_prefix(encoded_begin.size());
  value.remove_suffix(encoded_end.size());
  return from_base64(value);
}

header_arguments arguments_in_headers(const json::array& tools) {
  header_arguments result;
  for (const auto& x : tools) {
    const auto* schema = object_in(x.get_object(), "inputSchema");
    std::vector<header_argument> found;
    if (schema != nullptr)
      collect(*schema, {}, found);
    if (!found.empty())
      result[text_in(x.get_object(), "name").value_or("")] = std::move(found);
  }
  return result;
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
