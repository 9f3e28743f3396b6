#pragma once

#include <memory>

#include "scratchpage/runtime/mcp/client/transport.hpp"

namespace scratchpage::mcp_client {

/// Speaks to a server over Streamable HTTP: each message a POST, whose answer is
/// JSON or a stream of events; a session id is kept and given back with DELETE at
/// the end. A stream that breaks before the answer came is gone on with where the
/// server lets one, and what the server tells unasked is listened to with GET.
/// @pre `server.url` is an address.
std::unique_ptr<transport> connect_over_http(const server_config& server, event_sink sink);

} // namespace scratchpage::mcp_client
