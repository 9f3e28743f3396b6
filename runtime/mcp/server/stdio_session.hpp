#pragma once

#include <functional>
#include <memory>
#include <string>

#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/server.hpp"

namespace scratchpage::mcp {

/// Takes the messages of a session: one line each, without its line end. Called on the strand.
using line_sink = std::function<void(std::string)>;

/// An MCP server for one client with one message per line (the stdio transport). Each request may
/// use either generation of the protocol. Requests run concurrently, and are answered as they
/// finish.
class stdio_session : public std::enable_shared_from_this<stdio_session> {
public:
  stdio_session(std::shared_ptr<mcp::server> server, principal who, line_sink out);

  /// Takes a line. `done` is called once, when its answer is written or its call stays open.
  /// Thread-safe.
  void receive(std::string line, std::function<void()> done);

  /// The client sends nothing more: ends its subscriptions and questions. Thread-safe.
  void close();

private:
  class line_response_channel;
  class announcer;

  void take(const std::string& line, std::shared_ptr<void> work);
  void take(json_rpc::request x, std::shared_ptr<void> work);
  void write(const json::object& message) const;

  std::shared_ptr<mcp::server> server_;
  principal who_;
  line_sink out_;
  std::shared_ptr<session> session_;
  std::shared_ptr<response_channel> announcer_;
};

} // namespace scratchpage::mcp
