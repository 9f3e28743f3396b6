#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "scratchpage/actors/tools/running_child.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/mcp/client/server_config.hpp"

namespace scratchpage::mcp_client {

/// An event of a transport.
struct transport_event {
  enum class kind {
    message, ///< a message from the server; `text` is its JSON
    lost,    ///< there will be no answer to the request `id`; `text` says why
    ended,   ///< the connection is over; `text` says why. This is the last event
  };

  kind what = kind::message;
  std::string text = {};
  json::value id = {};
  tool_failure why = tool_failure::other;
};

/// Takes the events of a transport, on any thread. May block while there are too many. False:
/// events are not needed any more.
using event_sink = std::function<bool(transport_event)>;

/// Sends messages to a server. Used by one thread at a time. Its own threads pass what comes back
/// to the sink.
class transport {
public:
  transport() = default;
  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;

  /// Ends the connection as the protocol requires, within a few seconds. No event comes after that.
  virtual ~transport() = default;

  /// Sends a message without waiting. The answer to a request may take as long as `timeout`. False
  /// if there is no room for the message now.
  virtual bool send(const json::object& message, timespan timeout) = 0;
};

/// Begins to connect to a server. Its configuration has no variables any more.
using transport_factory =
  std::function<std::unique_ptr<transport>(const server_config& server, event_sink sink)>;

/// How long a message from the server may be.
size_t max_message_bytes(const server_config& server);

/// The transport that the configuration asks for.
std::unique_ptr<transport> connect_to(const server_config& server, event_sink sink);

/// The events of a transport that its actor has not taken yet. Their size is bounded: if the inbox
/// is full, the transport waits.
class event_inbox {
public:
  /// `wake` is called on the thread of the transport when there is something to take.
  event_inbox(size_t max_bytes, std::function<void()> wake);

  /// Waits while the inbox is full; false once it is closed.
  bool put(transport_event x);

  /// Takes all events.
  std::vector<transport_event> take();

  /// Refuses all further events, also those that wait for room.
  void close();

private:
  size_t max_bytes_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::vector<transport_event> events_;
  size_t bytes_ = 0;
  bool closed_ = false;
};

struct stdio_limits {
  size_t max_line_bytes = 8u << 20;   ///< of a message from the server
  size_t max_queued_bytes = 4u << 20; ///< of messages that the server has not read yet
  size_t max_stderr_bytes = 4096;     ///< of the end of its standard error, for errors
  /// After its standard input has ended, and again after SIGTERM.
  timespan grace = std::chrono::seconds{2};
};

/// Starts a program that serves the protocol over its standard input and output, one message per
/// line. The end of its standard error becomes a part of the last event. The destructor closes its
/// input; if the program does not end, its process group gets SIGTERM, and then SIGKILL.
std::unique_ptr<transport> start_program(
  const child_command& command, stdio_limits limits, event_sink sink);

} // namespace scratchpage::mcp_client
