#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/runtime/auth/visitor.hpp"
#include "scratchpage/runtime/host/if_missing.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"
#include "scratchpage/runtime/server/agent_calls.hpp"
#include "scratchpage/runtime/server/rpc_batch.hpp"

namespace scratchpage::serve {

/// For whom JSON-RPC is answered.
struct rpc_client {
  visitor who;
  std::string agent_id;
  std::string thread_id;                  ///< whose scratchbook is meant
  if_missing begins = if_missing::refuse; ///< whether the agent may begin with a call
};

/// Answers JSON-RPC 2.0: each method is an operation (contract 3), each of a batch is
/// made beside others. Without a transport.
class rpc_service {
public:
  /// Called once: the whole answer, or nothing if all of it were notifications.
  using on_answer = rpc_batch::on_answer;

  /// `calls` has to outlive it. Answers count in `answers` until they were told.
  rpc_service(const agent_calls& calls, std::shared_ptr<http::answer_budget> answers)
    : calls_{calls},
      answers_{std::move(answers)} {}

  /// Makes the calls of a message. What is returned may be abandoned, or forgotten.
  std::shared_ptr<rpc_batch> answer(
    rpc::message message, const rpc_client& client, on_answer then) const;

  static rpc::message read(std::string_view text);

private:
  void make(rpc::request call, const rpc_client& client, rpc_batch::on_outcome then) const;

  const agent_calls& calls_;
  const std::shared_ptr<http::answer_budget> answers_;
};

/// The answer to a message of which nothing is done, nothing if it wants none.
std::optional<std::string> refuse_all(const rpc::message& message, const caf::error& why);

/// Whether this visitor may: `forbidden`, if it changes something and they may only
/// read.
caf::error check_may(const visitor& who, std::string_view operation);

} // namespace scratchpage::serve
