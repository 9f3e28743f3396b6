#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/json/json.hpp"

/// Arguments of tools that a call over Streamable HTTP repeats in headers. Both sides have to write
/// and read them in the same way (SEP-2243: `x-mcp-header`, `Mcp-Param-*`).

namespace scratchpage::mcp {

/// An argument of a tool that is repeated in a header.
struct header_argument {
  std::vector<std::string> path; ///< of the argument, by names of members
  std::string header;            ///< in lower case
};

/// For each tool, the arguments whose schema has `x-mcp-header`.
using header_arguments = std::map<std::string, std::vector<header_argument>, std::less<>>;

/// Reads the members of a `tools/list`. Skips what is no tool.
header_arguments arguments_in_headers(const json::array& tools);

/// What is wrong with the `x-mcp-header` members of a tool's input schema; nothing if a client can
/// satisfy them: each is a token, occurs once, and belongs to a string, number or boolean that is
/// reached through `properties` alone.
std::optional<std::string> wrong_header(const json::object& schema);

/// The argument at that path; null if it is missing or null.
const json::value* argument_at(const json::object* arguments, const std::vector<std::string>& path);

/// The headers of a call, with their values.
std::vector<std::pair<std::string, std::string>> headers_of(
  const std::vector<header_argument>& which, const json::object* arguments);

/// The text of a header's value, decoded if it has the form `=?base64?…?=`; nothing if what is
/// encoded so is invalid.
std::optional<std::string> decoded(std::string_view value);

/// The header's value that `decoded` reads as `text`: unchanged if a header may have it.
std::string encoded(std::string text);

} // namespace scratchpage::mcp
