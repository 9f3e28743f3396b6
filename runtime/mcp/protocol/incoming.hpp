#pragma once

#include <string_view>
#include <variant>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

/// A client's answer to what it was asked.
struct reply {
  json::object message;
};

/// What is no message: the whole answer to it.
struct not_understood {
  json::object refusal;
};

/// A request if it has an id, which is a text or a whole number; else a notification.
using incoming = std::variant<rpc::request, reply, not_understood>;

/// Reads one message; a batch is none.
incoming read_message(std::string_view text);

} // namespace scratchpage::mcp
