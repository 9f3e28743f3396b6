#pragma once

#include <variant>

#include "scratchpage/runtime/mcp/protocol.hpp"
#include "scratchpage/runtime/rpc/json_rpc.hpp"

namespace scratchpage::mcp {

/// In which revision a request speaks: the modern one if its `_meta` names a version.
/// A modern request has to name one that is spoken here, and what the client can do.
std::variant<era, error> era_of(const rpc::request& x);

} // namespace scratchpage::mcp
