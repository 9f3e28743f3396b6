#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

/// The client at the other end of a connection, what it may do, and the agent that it means. The
/// authenticator fills in who it is; the reader of its request fills in the rest.
struct principal {
  caller by;
  std::string thread_id;   ///< whose scratchbook is used
  bool may_write = true;   ///< false: only operations that change nothing are allowed
  std::string traceparent; ///< W3C Trace Context that the client sent; "": none
  std::string agent_id;    ///< whose operations are called; "": there is only one agent
  bool may_begin = false;  ///< whether the client's change may create the agent

  /// `forbidden` if the token is not for this agent, whether the agent exists or not. Empty: every
  /// agent is allowed.
  std::function<caf::error(const std::string& agent_id)> check_agent = {};
  /// The error if the client has lost its access while its request waited. Empty: access is not
  /// withdrawn.
  std::function<caf::error()> check_admission = {};
  bool simple_tools = false; ///< whether it is offered few tools over MCP, for a simple agent
  /// The key that the client gave its request beside the call (request_key.hpp).
  std::optional<std::string> request_key = {};

  /// Whether both are the same client and mean the same agent.
  bool same_as(const principal& other) const {
    return by.role == other.by.role && by.kind == other.by.kind && by.name == other.by.name
           && agent_id == other.agent_id && thread_id == other.thread_id
           && may_write == other.may_write;
  }
};

/// Checks the name of a client from outside, a tool, a daemon or a person. `forbidden` about
/// `by.name` if it looks like the name of an internal daemon, which decisions rely on, or is not
/// plain (principal_name.hpp), since people judge a name by its looks.
caf::error check_name(std::string_view name);

} // namespace scratchpage
