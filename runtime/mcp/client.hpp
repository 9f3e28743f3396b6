#pragma once

#include <string>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage::mcp {

/// For whom something is done; whoever has let them in knows.
struct client {
  caller by;
  std::string thread_id; ///< whose scratchbook it has

  bool same_as(const client& other) const {
    return by.role == other.by.role && by.kind == other.by.kind && by.name == other.by.name
           && thread_id == other.thread_id;
  }
};

} // namespace scratchpage::mcp
