#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/expected.hpp>
#include <caf/fwd.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/operation.hpp"
#include "scratchpage/runtime/auth/principal.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"

namespace scratchpage {

/// Called once with the answer's JSON, on any thread, which it must not block.
using on_answer = std::function<void(caf::expected<std::string>)>;

/// Performs an operation for a client.
using perform_operation = std::function<void(
  const principal& who, std::string operation, json::object arguments, on_answer then)>;

/// Sends requests to actors from threads that are no actors and must not block, such as those that
/// read from a network. May be used from any thread.
class operation_caller {
public:
  explicit operation_caller(caf::actor_system& sys);
  operation_caller(const operation_caller&) = delete;
  operation_caller& operator=(const operation_caller&) = delete;
  ~operation_caller();

  /// `then` is called on an actor's thread, or never if this object ends first. It must not end
  /// this object.
  void call(const operations_actor& to, call_operation request, on_answer then) const;

  /// Runs `work` in an actor, or never if this object ends first.
  void run(std::function<void(caf::event_based_actor*)> work) const;

private:
  class calls;

  std::shared_ptr<calls> calls_;
  caf::actor companion_; // gets the answers, on the threads of the actors that answer
  caf::actor gateway_;   // runs `work`
};

/// Takes the bytes of an operation's answer from the budget. If the answer is too long, or the
/// budget is used up, `result` becomes an error, which also says whether the operation was
/// executed.
http::held_bytes hold_result(
  caf::expected<std::string>& result, std::string_view operation, http::answer_budget& of);

/// Adds the client's `traceparent` to the arguments of operations that have this argument, such as
/// `begin_turn`, unless the call has one. An invalid `traceparent` is ignored, as W3C Trace Context
/// requires.
void continue_trace(call_operation& x, const std::string& traceparent);

/// Adds the key that came beside a call to its arguments, unless they have one. A key beside a call
/// that changes nothing is ignored.
void name_request(std::string_view operation, const std::optional<std::string>& request_key,
  json::object& arguments);

} // namespace scratchpage
