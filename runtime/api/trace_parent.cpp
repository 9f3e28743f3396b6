#include "scratchpage/runtime/api/trace_parent.hpp"

#include "scratchpage/messages/trace_context.hpp"

namespace scratchpage {

void continue_trace(call_operation& x, const std::string& traceparent) {
  if (traceparent.empty() || x.operation != "begin_turn" || x.arguments.contains("traceparent"))
    return;
  if (trace_context::parse(traceparent))
    x.arguments["traceparent"] = traceparent;
}

} // namespace scratchpage
