#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/runtime/mcp/protocol/envelope.hpp"
#include "scratchpage/runtime/mcp/protocol/header_arguments.hpp"
#include "scratchpage/runtime/net/http/message.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

/// What the headers of a request have to say about its body.

namespace scratchpage::mcp {

/// Without the blanks around it; nothing if there is no such header.
std::optional<std::string> header_in(const http::request& x, std::string_view name);

/// Why the headers of a modern request do not fit its body; nothing if they do.
std::optional<error> refuse_headers(const http::request& x, const rpc::request& call,
  const envelope& said, const header_arguments& tools);

} // namespace scratchpage::mcp
