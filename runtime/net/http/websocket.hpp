#pragma once

#include <boost/asio/ssl/stream.hpp>

#include "scratchpage/runtime/net/http/wire.hpp"

namespace scratchpage::http {

using tls_stream = asio::ssl::stream<socket>;

/// Answers a handshake (RFC 6455) and carries the setup's stream from then on: texts
/// only, without compression, at most `max_body_bytes` each. Pings keep it alive.
void start_websocket(socket over, websocket_setup setup);
void start_websocket(tls_stream over, websocket_setup setup);

} // namespace scratchpage::http
