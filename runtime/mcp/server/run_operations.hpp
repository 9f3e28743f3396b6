#pragma once

#include <functional>
#include <memory>

#include "scratchpage/messages/operation.hpp"
#include "scratchpage/runtime/api/operation_caller.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/server/agent_offers.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"

namespace scratchpage::mcp {

/// Makes one operation for a client and calls back with the answer, on any thread.
using make_operation =
  std::function<void(const client&, call_operation, operation_caller::on_answer)>;

/// Operations by `make`, whose answers come back on a strand. What is answered counts in `answers`
/// until it was told; null: nobody counts.
run_operation run_by(std::shared_ptr<strand> on, make_operation make,
  std::shared_ptr<http::answer_budget> answers = nullptr);

} // namespace scratchpage::mcp
