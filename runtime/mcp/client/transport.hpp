#pragma once

#include <functional>
#include <memory>
#include <string>

#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"

namespace scratchpage::mcp_client {

/// What a transport has to tell.
struct transport_event {
  enum class kind {
    message, ///< of the server's; `text` is its JSON
    lost,    ///< there will be no answer to the request `id`; `text` says why
    ended,   ///< the connection is over; `text` says why. Nothing follows
  };

  kind what = kind::message;
  std::string text = {};
  json::value id = {};
  tool_failure why = tool_failure::other;
};

/// Takes what a transport has to tell, on any thread. May block while there is
/// more than can be worked on; false: nobody listens any more.
using event_sink = std::function<bool(transport_event)>;

/// Carries messages to a server. Used by one thread at a time; its own threads
/// tell what comes back.
class transport {
public:
  transport() = default;
  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;

  /// Ends the connection as the protocol asks, within a few seconds. Afterwards
  /// nothing is told any more.
  virtual ~transport() = default;

  /// Sends one message, without waiting. A request may take `patience` until its
  /// answer. False if there is no room for it now.
  virtual bool send(const json::object& message, timespan patience) = 0;
};

/// Begins to connect to a server, whose variables are replaced.
using transport_factory =
  std::function<std::unique_ptr<transport>(const server_config& server, event_sink sink)>;

/// How long a message of the server's may be.
size_t max_message_bytes(const server_config& server);

/// The transport that the configuration asks for.
std::unique_ptr<transport> connect_to(const server_config& server, event_sink sink);

} // namespace scratchpage::mcp_client
