#include "scratchpage/runtime/mcp/run_operations.hpp"

#include <utility>

#include "scratchpage/runtime/operations/operation_answers.hpp"
#include "scratchpage/runtime/operations/trace_parent.hpp"

namespace scratchpage::mcp {

run_operation run_by(
  std::shared_ptr<strand> on, const operation_caller& by, operations_actor agent) {
  return [on = std::move(on), by = &by, agent = std::move(agent)](
           const client& who, std::string operation, json::object arguments, on_operation then) {
    call_operation request{who.by, who.thread_id, std::move(operation), std::move(arguments)};
    continue_trace(request, who.traceparent);
    by->call(agent, std::move(request), [on, then = std::move(then)](caf::expected<std::string> x) {
      on->post([then, x = std::move(x)]() mutable { then(std::move(x)); });
    });
  };
}

} // namespace scratchpage::mcp
