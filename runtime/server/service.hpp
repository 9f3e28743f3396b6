#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/auth/authenticator.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/auth/stream_revalidator.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/server/agent_calls.hpp"
#include "scratchpage/runtime/server/agent_list.hpp"
#include "scratchpage/runtime/server/downloads.hpp"
#include "scratchpage/runtime/server/mcp_service.hpp"
#include "scratchpage/runtime/server/metrics.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"

namespace scratchpage::server {

/// Answers HTTP requests about the agents of a host: REST under /v1/, JSON-RPC at /rpc, MCP at
/// /mcp, events, the OpenAPI document, metrics and health checks. Has to outlive the server that
/// calls it. May be called from any thread.
class service {
public:
  /// Bodies over `work_queue::long_bytes` that wait to be parsed.
  static constexpr size_t max_long_bodies = 64;
  /// Bytes of those bodies together.
  static constexpr uint64_t max_long_bytes = uint64_t{64} << 20;

  service(agent_host& host, auth::authenticator& by, auth::host_check names = {});

  ~service();

  void handle(http::request x, std::shared_ptr<http::exchange> to);

  /// Begins to stop: /readyz says that the service is not ready, and calls on WebSockets are
  /// refused.
  void begin_to_end();

  /// Sets the function that gives the server's counts, for /metrics.
  void count_with(std::function<http::server_stats()> stats);

  /// Cuts off streams whose client has lost its access. The service also does so every ten seconds.
  void revalidate_streams() { streams_->check(); }

  /// After `begin_to_end`: waits until the clients on WebSockets have got their answers and have
  /// closed. False if `within` was not enough.
  bool await_clients(timespan within) { return clients_.await_none(within); }

private:
  using exchange_ptr = std::shared_ptr<http::exchange>;

  void route(http::request x, principal who, exchange_ptr to);
  void admitted(const http::request& x, principal& who, const exchange_ptr& to);
  void answer_rest(const http::request& x, const std::vector<std::string>& segments, principal& who,
    const exchange_ptr& to);
  void answer_rpc(const http::request& x, principal who, const exchange_ptr& to);
  void accept_rpc(principal who, bool may_begin, const exchange_ptr& to);
  void make_calls(std::string_view body, const principal& who, const exchange_ptr& to) const;
  void answer_mcp(http::request x, principal who, const exchange_ptr& to);
  void answer_events(const http::request& x, const std::string& agent_id, const principal& who,
    const exchange_ptr& to);
  void tell_everybody(std::string_view path, const exchange_ptr& to);
  void answer_session(const http::request& x, const exchange_ptr& to);
  void open_session(const http::request& x, const exchange_ptr& to);
  void make_session_key(const principal& who, const exchange_ptr& to);
  void list_agents(const http::request& x, const principal& who, const exchange_ptr& to);
  void tell_agents(agent_list part, bool in_detail, const principal& who, const exchange_ptr& to);
  void list_threads(const http::request& x, const std::string& agent_id, const principal& who,
    const exchange_ptr& to);
  void count_stored_again();
  caf::error check_room();
  void tell_readiness(const exchange_ptr& to);
  void tell_metrics(const http::request& x, const principal& who, const exchange_ptr& to);

  agent_host& host_;
  auth::authenticator& authenticator_;
  auth::host_check names_;
  std::mutex stats_mutex_;                      ///< of the next three
  std::map<std::string, stored_counts> stored_; ///< when metrics were last asked for
  bool counts_stored_ = false;                  ///< it is being counted again
  std::function<http::server_stats()> stats_;
  operation_caller operations_;
  agent_calls calls_;
  rpc_service rpc_;
  rpc_clients clients_;
  mcp_service mcp_;
  std::shared_ptr<auth::stream_revalidator> streams_;
  std::atomic<bool> ends_ = false;
  const timestamp started_;
  downloads downloads_;
  work_queue long_bodies_; // these two are last, so that their work ends before the other members
  agent_opener agents_;
};

/// Answers the other processes of this user on a local socket. Every user who may open the data
/// directory has all permissions.
class local_server {
public:
  /// The host has to outlive the server. `persons` are the browser sessions of the server on the
  /// network; keys for them are made here; null: there is no such server. Error: `invalid_request`
  /// about `http.socket_path`.
  static caf::expected<std::unique_ptr<local_server>> start(agent_host& host,
    const std::string& socket_path, std::shared_ptr<auth::person_sessions> persons = nullptr);

  local_server(const local_server&) = delete;
  local_server& operator=(const local_server&) = delete;

  /// Answers the calls in progress and refuses new ones. False if `within` was not enough.
  bool end(timespan within);

private:
  local_server(agent_host& host, std::shared_ptr<auth::person_sessions> persons);

  auth::trusting_authenticator authenticator_;
  service service_;
  std::unique_ptr<http::server> server_; // last, so that it ends before the service
};

} // namespace scratchpage::server
