#pragma once

#include <memory>
#include <optional>
#include <string>

#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/mcp/protocol/incoming.hpp"
#include "scratchpage/runtime/mcp/server/http_headers.hpp"
#include "scratchpage/runtime/mcp/server/http_sessions.hpp"
#include "scratchpage/runtime/mcp/server/server.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::mcp {

struct http_endpoint_config {
  access::host_check names; ///< of this server
  size_t most_sessions = 256;
  timespan idle_session = std::chrono::hours{1};
  /// After which an answer that is not there yet comes on a stream.
  timespan slow_answer = std::chrono::seconds{10};
};

/// MCP over HTTP (the Streamable HTTP transport): all requests to one path. Each says
/// by itself in which revision it speaks; sessions are for the legacy ones. A stream
/// that broke is not resumed.
class http_endpoint : public std::enable_shared_from_this<http_endpoint> {
public:
  http_endpoint(std::shared_ptr<mcp::server> server, http_endpoint_config config = {});

  /// Answers a request of somebody whom the caller has let in. From any thread.
  void handle(http::request x, std::shared_ptr<http::exchange> by, client who);

private:
  using exchange_ptr = std::shared_ptr<http::exchange>;

  /// One request at work.
  struct asked {
    http::request request;
    exchange_ptr by;
    client who;
    std::optional<incoming> message; ///< of a POST; read on the asker's thread, for it may be long
  };

  void take(asked& x);
  void take_get(const asked& x);
  void take_delete(const asked& x);
  void take_post(asked& x);
  void take_modern(const asked& x, rpc::request call);
  void take_legacy(const asked& x, rpc::request call);
  void begin_session(const asked& x, rpc::request call);
  void look_after_sessions();
  /// Null if it was refused; `id` is that of the request.
  http_sessions::entry* session_of(const asked& x, const json::value& id = {});

  std::shared_ptr<mcp::server> server_;
  http_endpoint_config config_;
  http_sessions sessions_;
  bool looks_after_sessions_ = false;
  header_arguments header_arguments_;
};

} // namespace scratchpage::mcp
