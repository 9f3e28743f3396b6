#include "scratchpage/runtime/mcp/server/run_operations.hpp"

#include <utility>

#include "scratchpage/runtime/api/held_result.hpp"
#include "scratchpage/runtime/api/trace_parent.hpp"

namespace scratchpage::mcp {

run_operation run_by(
  std::shared_ptr<strand> on, make_operation make, std::shared_ptr<http::answer_budget> answers) {
  return [on = std::move(on), make = std::move(make), answers = std::move(answers)](
           const client& who, std::string operation, json::object arguments, on_operation then) {
    call_operation request{who.by, who.thread_id, std::move(operation), std::move(arguments)};
    continue_trace(request, who.traceparent);
    auto name = request.operation;
    make(who, std::move(request),
      [on, answers, name = std::move(name), then = std::move(then)](caf::expected<std::string> x) {
        auto held = answers ? hold_result(x, name, *answers) : http::held_bytes{};
        on->post(
          [then, held = std::move(held), x = std::move(x)]() mutable { then(std::move(x)); });
      });
  };
}

} // namespace scratchpage::mcp
