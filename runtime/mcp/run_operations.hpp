#pragma once

#include <memory>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/mcp/agent_offers.hpp"
#include "scratchpage/runtime/operations/operation_caller.hpp"
#include "scratchpage/runtime/strand.hpp"

namespace scratchpage::mcp {

/// Makes operations of an agent, and calls back on that strand. Each has its own limit.
/// `by` has to outlive whoever makes operations.
run_operation run_by(
  std::shared_ptr<strand> on, const operation_caller& by, operations_actor agent);

} // namespace scratchpage::mcp
