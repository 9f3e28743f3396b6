#pragma once

#include <functional>
#include <memory>
#include <string>

#include <caf/typed_actor.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/mcp/server.hpp"

namespace scratchpage::mcp {

/// For whom a session works.
struct client {
  caller by;
  std::string thread_id; ///< whose scratchbook it has
};

/// Where a session's answers go: one line each, without its end. Called from the
/// session's thread.
using line_sink = std::function<void(const std::string&)>;

/// An MCP server for one client, a message a line (the stdio transport). Requests are
/// worked on side by side, and answered in the order in which they are done.
class stdio_session {
public:
  using handle = caf::typed_actor<
    // A line. Answered when all that it leads to is written.
    caf::result<void>(std::string)>;
  static constexpr const char* name = "mcp_stdio";

  stdio_session(handle::pointer self, operations_actor operations, client who, line_sink out);

  handle::behavior_type make_behavior();

private:
  void run(std::string operation, json::object arguments, const server::on_result& then);

  handle::pointer self_;
  operations_actor operations_;
  client who_;
  line_sink out_;
  server server_;
};

} // namespace scratchpage::mcp
