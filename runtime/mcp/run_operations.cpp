#include "scratchpage/runtime/mcp/run_operations.hpp"

#include <utility>

#include "scratchpage/runtime/operations/trace_parent.hpp"

namespace scratchpage::mcp {

run_operation run_by(std::shared_ptr<strand> on, make_operation make) {
  return [on = std::move(on), make = std::move(make)](
           const client& who, std::string operation, json::object arguments, on_operation then) {
    call_operation request{who.by, who.thread_id, std::move(operation), std::move(arguments)};
    continue_trace(request, who.traceparent);
    make(who, std::move(request), [on, then = std::move(then)](caf::expected<std::string> x) {
      on->post([then, x = std::move(x)]() mutable { then(std::move(x)); });
    });
  };
}

} // namespace scratchpage::mcp
