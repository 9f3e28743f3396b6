#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/mcp/protocol/header_arguments.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"
#include "scratchpage/runtime/mcp/server/http_response_channel.hpp"
#include "scratchpage/runtime/mcp/server/server.hpp"
#include "scratchpage/runtime/mcp/server/session.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/message.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

// Headers of a request, which have to agree with its body.

/// A header's value without surrounding blanks; nothing if there is no such header.
std::optional<std::string> header_in(const http::request& x, std::string_view name);

/// The error if the headers of a modern request do not agree with its body; nothing if they do.
std::optional<error> refuse_headers(const http::request& x, const json_rpc::request& call,
  const envelope& said, const header_arguments& tools);

/// The sessions of an endpoint, by random ids. Their number is bounded, and one that is not used
/// for a while ends. Used on the strand.
class http_sessions {
public:
  struct entry {
    std::shared_ptr<session> state;
    principal who;
    timestamp last_use;
    std::shared_ptr<stream_response_channel>
      stream; ///< for messages that belong to no request; null: not open

    bool is_idle() const { return !stream && !state->is_busy(); }
  };

  http_sessions(size_t most, timespan idle)
    : most_{most},
      idle_{idle} {}

  /// Makes room for one more session. If there are too many, ends the idle session that was not
  /// used for longest of the client that has the most, so that a client that opens many only loses
  /// its own. Clients whose names are not authenticated count together; among them, the one with
  /// the most loses a session. False if no session is idle.
  bool make_room(timestamp now);

  void add(const std::string& id, entry x) { entries_.insert_or_assign(id, std::move(x)); }

  /// Null if this client has no session with that id.
  entry* find(const std::string& id, const principal& who, timestamp now);

  void remove(const std::string& id);

  /// Ends the sessions that have been idle for too long.
  void expire(timestamp now);

  size_t size() const { return entries_.size(); }

private:
  using map = std::map<std::string, entry, std::less<>>;

  using client_name = std::tuple<role, source_kind, std::string>;

  map::iterator end(map::iterator x);
  static client_name name_of(const caller& x);
  std::map<client_name, size_t> count_by_client() const;
  size_t count_claimed() const;

  size_t most_;
  timespan idle_;
  map entries_;
};

struct http_endpoint_config {
  auth::host_check names; ///< checks which hosts and origins a request may name
  size_t max_sessions = 256;
  timespan idle_session = std::chrono::hours{1};
  /// An answer that takes longer is sent on a stream.
  timespan slow_answer = std::chrono::seconds{10};
};

/// MCP over HTTP (the Streamable HTTP transport): serves all requests to one path. Each request
/// shows its generation of the protocol; legacy ones have sessions. A broken stream cannot be
/// resumed.
class http_endpoint : public std::enable_shared_from_this<http_endpoint> {
public:
  http_endpoint(std::shared_ptr<mcp::server> server, http_endpoint_config config = {});

  /// Answers a request that is authenticated as `who`. Thread-safe.
  void handle(http::request x, std::shared_ptr<http::exchange> by, principal who);

private:
  using exchange_ptr = std::shared_ptr<http::exchange>;

  /// A request that is being handled.
  struct asked {
    http::request request;
    exchange_ptr by;
    principal who;
    std::optional<incoming>
      message; ///< of a POST; parsed on the caller's thread, since it may be long
  };

  void take(asked& x);
  void take_get(const asked& x);
  void take_delete(const asked& x);
  void take_post(asked& x);
  void take_modern(const asked& x, json_rpc::request call);
  void take_legacy(const asked& x, json_rpc::request call);
  void begin_session(const asked& x, json_rpc::request call);
  void look_after_sessions();
  /// The session of a request with that id. Null if the request was refused.
  http_sessions::entry* session_of(const asked& x, const json::value& id = {});

  std::shared_ptr<mcp::server> server_;
  http_endpoint_config config_;
  http_sessions sessions_;
  bool looks_after_sessions_ = false;
  header_arguments header_arguments_;
};

} // namespace scratchpage::mcp
