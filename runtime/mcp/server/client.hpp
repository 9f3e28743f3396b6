#pragma once

#include <string>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/host/if_missing.hpp"

namespace scratchpage::mcp {

/// For whom something is done; whoever has let them in knows.
struct client {
  caller by;
  std::string thread_id;   ///< whose scratchbook it has
  bool may_write = true;   ///< else only what changes nothing is done for it
  std::string traceparent; ///< of what it does, as it tells; "": it does not
  std::string agent_id;    ///< whose operations are made; "": there is one agent only
  if_missing begins = if_missing::refuse; ///< whether the agent may begin with a call of its

  bool same_as(const client& other) const {
    return by.role == other.by.role && by.kind == other.by.kind && by.name == other.by.name
           && agent_id == other.agent_id && thread_id == other.thread_id
           && may_write == other.may_write;
  }
};

} // namespace scratchpage::mcp
