#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/mcp/client/transport.hpp"

namespace scratchpage::mcp_client {

/// What is left of a timeout that began with this object, on the steady clock.
class time_left {
public:
  /// Nothing: there is no timeout.
  explicit time_left(std::optional<timespan> timeout) {
    if (timeout)
      until_ = std::chrono::steady_clock::now() + *timeout;
  }

  std::optional<timespan> operator()() const {
    if (!until_)
      return std::nullopt;
    return std::max<timespan>(*until_ - std::chrono::steady_clock::now(), timespan{0});
  }

private:
  std::optional<std::chrono::steady_clock::time_point> until_;
};

/// Connects to a server over Streamable HTTP. Each message is a POST, whose answer is JSON or a
/// stream of events. A session is ended with DELETE. A stream that breaks before the answer is
/// resumed if the server allows it. A GET receives the messages that belong to no request.
/// @pre `server.url` is an address.
std::unique_ptr<transport> connect_over_http(const server_config& server, event_sink sink);

} // namespace scratchpage::mcp_client
