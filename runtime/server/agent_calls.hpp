#pragma once

#include <string>

#include "scratchpage/messages/operation.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/server/agent_opener.hpp"
#include "scratchpage/runtime/server/calls_under_way.hpp"

namespace scratchpage::serve {

/// Makes operations of the agents of a host, by their ids. An agent that is not open is
/// opened first; one that is not there begins with the first change that is accepted, and
/// with nothing else. May be used from any thread.
class agent_calls {
public:
  using on_answer = operation_caller::on_answer;

  /// All three have to outlive it.
  agent_calls(agent_host& host, agent_opener& opener, const operation_caller& operations)
    : host_{host},
      opener_{opener},
      operations_{operations} {}

  /// `begins`: whether the agent may begin with it. `then` is called once, on some thread
  /// that it must not block. Errors: `not_found` about `agent` if it is not there, `overloaded`
  /// if the caller has too many calls under way (`calls_under_way`).
  void call(
    const std::string& agent_id, call_operation request, if_missing begins, on_answer then) const;

private:
  agent_host& host_;
  agent_opener& opener_;
  const operation_caller& operations_;
  mutable calls_under_way under_way_;
};

} // namespace scratchpage::serve
