#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/runtime/http/message.hpp"
#include "scratchpage/runtime/mcp/envelope.hpp"
#include "scratchpage/runtime/rpc/json_rpc.hpp"

/// What the headers of a request have to say about its body.

namespace scratchpage::mcp {

/// Without the blanks around it; nothing if there is no such header.
std::optional<std::string> header_in(const http::request& x, std::string_view name);

/// The text of a header's value: decoded if it is written as `=?base64?…?=`; nothing
/// if it is written so and wrong.
std::optional<std::string> decoded(std::string_view value);

/// An argument that a tool has in a header of its own, too.
struct header_argument {
  std::vector<std::string> path; ///< of the argument
  std::string header;            ///< in small letters
};

/// By tool: the arguments whose schema has `x-mcp-header`.
using header_arguments = std::map<std::string, std::vector<header_argument>, std::less<>>;

header_arguments arguments_in_headers(const json::array& tools);

/// Why the headers of a modern request do not fit its body; nothing if they do.
std::optional<error> refuse_headers(const http::request& x, const rpc::request& call,
  const envelope& said, const header_arguments& tools);

} // namespace scratchpage::mcp
