#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/messages/operation.hpp"
#include "scratchpage/runtime/mcp/protocol.hpp"
#include "scratchpage/runtime/rpc/json_rpc.hpp"

namespace scratchpage::mcp {

/// An MCP server without a transport: what is asked in one message, and what is
/// answered, in either revision. It keeps nothing between requests.
class server {
public:
  using on_result = std::function<void(caf::expected<operation_answer>)>;
  /// Makes an operation as the client of this server, and calls back.
  using run_operation =
    std::function<void(std::string operation, json::object arguments, on_result then)>;
  /// The whole answer, as JSON-RPC has it.
  using on_answer = std::function<void(json::object)>;

  explicit server(run_operation run)
    : run_{std::move(run)} {}

  /// Answers a text: one message. `then` is called once for a request, also one that
  /// is none, and never for a notification and for answers to what nobody asked.
  void answer(std::string_view text, const on_answer& then) const;

private:
  struct asked {
    json::value id;
    mcp::era era;
    on_answer then;
  };

  void dispatch(const rpc::request& call, const asked& by) const;
  void initialize(const rpc::request& call, const asked& by) const;
  void discover(const asked& by) const;
  void call_tool(const rpc::request& call, const asked& by) const;
  void read_resource(const rpc::request& call, const asked& by) const;
  void get_prompt(const rpc::request& call, const asked& by) const;
  void hand_off(const asked& by) const;

  /// A list that may be kept for a while, or any other result.
  static void give_list(const asked& to, json::object result);
  static void give(const asked& to, json::object result);
  static void refuse(const asked& to, const error& why);

  run_operation run_;
};

} // namespace scratchpage::mcp
