#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/main_thread.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/execution/work_queue.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"
#include "scratchpage/runtime/server/agent_calls.hpp"

namespace scratchpage::server {

/// The agent and the thread that a client of JSON-RPC or MCP means, from its query string.
struct rpc_target {
  std::string agent = "agent";
  std::string thread = main_thread;
  bool make = true; ///< whether the client's change may create the agent

  static constexpr size_t id_bytes = 1'024; ///< maximum, of each of the two ids

  static constexpr auto fields(auto all) {
    using self = rpc_target;
    return all(optional("agent", &self::agent), optional("thread", &self::thread),
      optional("make", &self::make));
  }
};

/// The same for MCP, and the tools that the client is offered.
struct mcp_target : rpc_target {
  tool_set tools = tool_set::full;

  static constexpr auto fields(auto all) {
    using self = mcp_target;
    return rpc_target::fields([&](const auto&... m) {
      return all(inherited<self>(m)..., optional("tools", &self::tools));
    });
  }
};

/// Reads the query string of a request to `/mcp`. Errors: as `read_rpc_target`.
caf::expected<mcp_target> read_mcp_target(std::string_view query);

/// The schema of the parameters.
const json::object& schema_of_rpc_target();

/// Errors: `invalid_request` about a parameter that is unknown, repeated, malformed or too long.
caf::expected<rpc_target> read_rpc_target(std::string_view query);

/// The result of a call. Both members are empty for a notification.
struct rpc_outcome {
  std::optional<std::string> answer;
  http::held_bytes held; ///< taken from the budget for the answer
};

/// Makes the calls of one message, a few at a time, and joins their answers in the order of the
/// calls. Calls that have not begun are not made if the answers are too long together, if the
/// client has disconnected, or if it has lost its access. Answers may come on any thread.
class rpc_batch : public std::enable_shared_from_this<rpc_batch> {
public:
  /// Calls of a message in progress at a time.
  static constexpr size_t max_at_once = 16;

  using on_outcome = std::function<void(rpc_outcome)>;
  using maker = std::function<void(json_rpc::request, on_outcome)>;
  using on_answer = std::function<void(std::optional<std::string>)>;

  rpc_batch(json_rpc::message message, std::shared_ptr<const http::answer_budget> limits,
    maker make, on_answer then);

  /// Begins to make the calls. `then` is called once.
  void begin() { make_more(); }

  /// Sets the bytes that the message holds of a budget while some calls wait for others. Nothing:
  /// the budget is used up, and no call is made. To be called before `begin`.
  void hold(std::optional<http::held_bytes> x);

  /// Sets a check that is made before each call that had to wait for others; its error refuses the
  /// rest. To be called before `begin`.
  void check_with(std::function<caf::error()> check) { check_ = std::move(check); }

  /// The client has disconnected.
  void abandon();

  /// Whether some calls have to wait for others.
  bool is_long() const { return outcomes_.size() > max_at_once; }

private:
  void make_more();
  void make_one(size_t i);
  caf::error why_not(size_t i);
  void put(size_t i, rpc_outcome x);
  caf::error check_length(const rpc_outcome& x);
  void tell();

  json_rpc::message message_;
  const std::shared_ptr<const http::answer_budget> limits_;
  maker make_;
  on_answer then_;
  std::function<caf::error()> check_;
  std::mutex mutex_;
  std::vector<rpc_outcome> outcomes_;
  std::vector<std::optional<json::value>> ids_; ///< of the calls, for refusals
  size_t next_ = 0;
  size_t under_way_ = 0;
  size_t missing_;
  uint64_t bytes_ = 0;
  http::held_bytes waiting_; ///< by the calls that have not begun
  caf::error undone_;        ///< the error that refuses all further calls
  bool is_making_ = false;
  bool is_told_ = false;
};

/// Answers JSON-RPC 2.0, whose methods are the operations (contract 3). Without a transport.
class rpc_service {
public:
  /// Called once with the whole answer, or with nothing if all calls were notifications.
  using on_answer = rpc_batch::on_answer;

  /// `calls` has to outlive this object. `answers` counts answers until they were passed on.
  rpc_service(const agent_calls& calls, std::shared_ptr<http::answer_budget> answers)
    : calls_{calls},
      answers_{std::move(answers)} {}

  /// Makes the calls of a message. The result is only needed to abandon them.
  std::shared_ptr<rpc_batch> answer(
    json_rpc::message message, const principal& who, on_answer then) const;

  static json_rpc::message read(std::string_view text);

private:
  void make(json_rpc::request call, const principal& who, rpc_batch::on_outcome then) const;

  const agent_calls& calls_;
  const std::shared_ptr<http::answer_budget> answers_;
};

/// The answer that refuses all calls of a message; nothing if all are notifications.
std::optional<std::string> refuse_all(const json_rpc::message& message, const caf::error& why);

/// `forbidden` if the operation changes something and the client may only read.
caf::error check_may(const principal& who, std::string_view operation);

// -- on WebSockets ---------------------------------------------------------------------------

/// The clients that speak JSON-RPC on WebSockets, and the number of their calls in progress, so
/// that a server that stops can tell them and wait. May be used from any thread.
class rpc_clients {
public:
  /// Adds a client and gives its number. `say_end` is called once, when the server begins to stop,
  /// or at once if it has.
  uint64_t join(std::function<void()> say_end);
  void leave(uint64_t client);

  /// False if the server has begun to stop: the call must not begin then.
  bool begin_call();
  void end_call();

  void begin_to_end();

  /// Waits until all clients have left and no call is in progress. False if `within` was not
  /// enough.
  bool await_none(timespan within);

private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<uint64_t, std::function<void()>> clients_;
  uint64_t last_ = 0;
  size_t calls_ = 0;
  bool ends_ = false;
};

/// Speaks JSON-RPC 2.0 on a WebSocket; each message is a call or a batch:
///
/// - Calls are operations, or `subscribe`, which is answered `{subscription, sequence, from}`,
///   where `from` is the position as an event's id, and then by notifications `event`.
/// - At most 256 messages are in progress at a time; a client that sends more is cut off.
/// - A message over `work_queue::long_bytes` is refused while the process uses too much memory.
/// - Subscriptions and batches end with the socket.
/// - When the server begins to stop, it sends the notification `end` and waits until the client
///   closes. Later calls are refused with `overloaded` about `server` and not executed.
void serve_rpc(agent_host& host, const rpc_service& service, rpc_clients& clients, principal who,
  const std::shared_ptr<http::stream>& socket, work_queue& long_messages);

} // namespace scratchpage::server
