#include "scratchpage/runtime/mcp/client/transport.hpp"

#include <utility>

#include "scratchpage/runtime/mcp/client/http_transport.hpp"
#include "scratchpage/runtime/mcp/client/stdio_transport.hpp"

namespace scratchpage::mcp_client {

namespace {

/// What a program gets of this one's environment, which may hold what is none of
/// its business. `env` adds to it.
const std::vector<std::string> inherited{"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH",
  "SHELL", "TERM", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR", "XDG_STATE_HOME"};

child_command command_of(const server_config& server) {
  child_command result;
  result.argv = {server.command};
  result.argv.insert(result.argv.end(), server.args.begin(), server.args.end());
  result.env = server.env;
  result.working_directory = server.cwd;
  result.inherits = inherited;
  return result;
}

} // namespace

size_t max_message_bytes(const server_config& server) {
  // Escapes and pictures, which are left out, make a message larger than its text.
  return 4 * server.max_result_bytes + (size_t{1} << 20);
}

std::unique_ptr<transport> connect_to(const server_config& server, event_sink sink) {
  if (server.is_program()) {
    stdio_limits limits;
    limits.max_line_bytes = max_message_bytes(server);
    return start_program(command_of(server), limits, std::move(sink));
  }
  return connect_over_http(server, std::move(sink));
}

} // namespace scratchpage::mcp_client
