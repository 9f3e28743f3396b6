#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"

/// Arguments of tools that stand in headers of a call, too, where both sides of
/// Streamable HTTP must see them alike (SEP-2243: `x-mcp-header`, `Mcp-Param-*`).

namespace scratchpage::mcp {

/// An argument that a tool has in a header of its own, too.
struct header_argument {
  std::vector<std::string> path; ///< of the argument
  std::string header;            ///< in small letters
};

/// By tool: the arguments whose schema has `x-mcp-header`.
using header_arguments = std::map<std::string, std::vector<header_argument>, std::less<>>;

/// Of the members of `tools/list`; what is no tool is left out.
header_arguments arguments_in_headers(const json::array& tools);

/// What is wrong with the `x-mcp-header` of a tool's input schema; nothing if a client
/// can do what they ask for: tokens, each once, for texts, numbers and truth values that
/// are reached by `properties` alone.
std::optional<std::string> wrong_header(const json::object& schema);

/// Null: it is not there, or null.
const json::value* argument_at(const json::object* arguments, const std::vector<std::string>& path);

/// The headers, with their values, of a call's arguments.
std::vector<std::pair<std::string, std::string>> headers_of(
  const std::vector<header_argument>& which, const json::object* arguments);

/// The text of a header's value: decoded if it is written as `=?base64?…?=`; nothing
/// if it is written so and wrong.
std::optional<std::string> decoded(std::string_view value);

/// As `decoded` reads it; as it is if a header can have it so.
std::string encoded(std::string text);

} // namespace scratchpage::mcp
