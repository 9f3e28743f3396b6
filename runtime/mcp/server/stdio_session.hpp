#pragma once

#include <functional>
#include <memory>
#include <string>

#include "scratchpage/runtime/mcp/protocol/incoming.hpp"
#include "scratchpage/runtime/mcp/server/server.hpp"

namespace scratchpage::mcp {

/// Where a session's messages go: one line each, without its end. Called on the
/// strand.
using line_sink = std::function<void(std::string)>;

/// An MCP server for one client, a message a line (the stdio transport), in whichever
/// revision each request speaks. Requests are worked on side by side, and answered in
/// the order in which they are done.
class stdio_session : public std::enable_shared_from_this<stdio_session> {
public:
  stdio_session(std::shared_ptr<mcp::server> server, client who, line_sink out);

  /// Takes a line; from any thread. `done` is called once, when all that it leads to
  /// is written, or when it goes on by itself.
  void receive(std::string line, std::function<void()> done);

  /// The client sends nothing more: what waits for it, or listens, ends. From any
  /// thread.
  void close();

private:
  class line_outlet;
  class announcer;

  void take(const std::string& line, std::shared_ptr<void> work);
  void take(rpc::request x, std::shared_ptr<void> work);
  void write(const json::object& message) const;

  std::shared_ptr<mcp::server> server_;
  client who_;
  line_sink out_;
  std::shared_ptr<session> session_;
  std::shared_ptr<outlet> announcer_;
};

} // namespace scratchpage::mcp
