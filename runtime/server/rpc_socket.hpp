#pragma once

#include <memory>

#include "scratchpage/runtime/execution/work_queue.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/server/rpc_clients.hpp"
#include "scratchpage/runtime/server/rpc_service.hpp"

namespace scratchpage::serve {

/// Speaks JSON-RPC 2.0 on a WebSocket, a message or a batch each: operations, and
/// `subscribe`, which is answered `{subscription, sequence, from}`, where `from` is the
/// place as an event's id, and then by notifications `event`. At most 256 messages are worked on at
/// a time; who sends more is cut off. A message over `work_queue::long_bytes` is refused while the
/// process has more memory than it may. What is left of subscriptions and batches ends with the
/// socket. When the server is about to end, it says so by the
/// notification `end`, and waits for clients to close; calls are refused by `overloaded` about
/// `server` then, not done.
void serve_rpc(agent_host& host, const rpc_service& service, rpc_clients& clients,
  rpc_client client, const std::shared_ptr<http::stream>& socket, work_queue& long_messages);

} // namespace scratchpage::serve
