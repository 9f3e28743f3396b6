#include "scratchpage/tests/runtime/mcp/server/conformance_server/content.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/fixture.hpp"

namespace scratchpage::test {

namespace {

void log_steps(const json::object&, const call_ptr& by) {
  for (const auto* step :
    {"Tool execution started", "Tool processing data", "Tool execution completed"})
    by->log(mcp::log_level::info, step, "fixture");
  by->give(says("Tool with logging executed successfully"));
}

void tell_progress(const json::object&, const call_ptr& by) {
  for (auto percent : {0, 50, 100})
    by->progress(percent, 100);
  by->give(says("Tool with progress executed successfully"));
}

} // namespace

tool_fixtures telling_tools() {
  return {
    {"test_tool_with_logging", "Logs three steps", log_steps},
    {"test_logging_tool", "Logs if it is asked to", log_steps},
    {"test_tool_with_progress", "Tells how far it is", tell_progress},
    {"test_reconnection", "Answers whoever stays",
      [](const json::object&, const call_ptr& by) { by->give(says("Reconnection test done")); }},
  };
}

} // namespace scratchpage::test
