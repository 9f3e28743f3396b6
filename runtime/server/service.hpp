#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/auth/doorkeeper.hpp"
#include "scratchpage/runtime/auth/host_check.hpp"
#include "scratchpage/runtime/auth/open_visits.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/server_stats.hpp"
#include "scratchpage/runtime/server/agent_calls.hpp"
#include "scratchpage/runtime/server/agent_opener.hpp"
#include "scratchpage/runtime/server/mcp_service.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/runtime/server/rpc_clients.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"

namespace scratchpage::serve {

/// Answers HTTP requests about the agents of a host: REST under /v1/, JSON-RPC at /rpc,
/// events, the OpenAPI document and what operators ask. Has to outlive the server that
/// it answers for; may be called from any thread.
class service {
public:
  /// Bodies over `work_queue::long_bytes` that wait until they are read.
  static constexpr size_t most_long_bodies = 64;
  /// Of those together.
  static constexpr uint64_t most_long_bytes = uint64_t{64} << 20;

  service(agent_host& host, doorkeeper& door, access::host_check names = {});

  ~service();

  void handle(http::request x, std::shared_ptr<http::exchange> to);

  /// From now on it is not ready for more, and says so at /readyz; calls on WebSockets
  /// are refused.
  void begin_to_end();

  /// Who tells what the server has counted, for /metrics.
  void count_with(std::function<http::server_stats()> stats);

  /// Shows out who is no longer admitted; by itself it does so every ten seconds.
  void check_visits() { visits_->check(); }

  /// Waits until who speaks JSON-RPC on a WebSocket has heard that, got what they wait
  /// for and gone; false if `within` was not enough.
  bool await_clients(timespan within) { return clients_.await_none(within); }

private:
  using exchange_ptr = std::shared_ptr<http::exchange>;

  void route(http::request x, visitor who, exchange_ptr to);
  void admitted(const http::request& x, const visitor& who, const exchange_ptr& to);
  void answer_rest(const http::request& x, const visitor& who, const exchange_ptr& to);
  void answer_rpc(const http::request& x, const visitor& who, const exchange_ptr& to);
  void accept_rpc(rpc_client client, bool may_begin, const exchange_ptr& to);
  void make_calls(std::string_view body, const rpc_client& client, const exchange_ptr& to) const;
  void answer_mcp(http::request x, const visitor& who, const exchange_ptr& to);
  void answer_events(const http::request& x, const std::string& agent_id, const visitor& who,
    const exchange_ptr& to);
  void tell_everybody(std::string_view path, const exchange_ptr& to);
  void answer_session(const http::request& x, const exchange_ptr& to);
  void open_session(const http::request& x, const exchange_ptr& to);
  void make_session_key(const visitor& who, const exchange_ptr& to);
  void list_agents(const http::request& x, const visitor& who, const exchange_ptr& to);
  caf::error check_room();
  void tell_readiness(const exchange_ptr& to);
  void tell_metrics(const http::request& x, const visitor& who, const exchange_ptr& to);

  agent_host& host_;
  doorkeeper& door_;
  access::host_check names_;
  operation_caller operations_;
  agent_opener agents_;
  agent_calls calls_;
  rpc_service rpc_;
  rpc_clients clients_;
  mcp_service mcp_;
  std::shared_ptr<open_visits> visits_;
  std::atomic<bool> ends_ = false;
  const timestamp started_;
  std::mutex stats_mutex_;
  std::function<http::server_stats()> stats_;
  work_queue long_bodies_; // done before the rest ends
};

} // namespace scratchpage::serve
