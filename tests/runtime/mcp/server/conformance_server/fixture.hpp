#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/local_feed.hpp"

/// The tools, resources and prompts that the official conformance suite of MCP expects of a
/// server under test. The suite defines their names and behaviour.

namespace scratchpage::test {

using call_ptr = std::shared_ptr<mcp::call>;

struct tool_fixture {
  std::string name;
  std::string description;
  std::function<void(const json::object& arguments, const call_ptr& by)> call;
  json::object input_schema = {{"type", "object"}, {"properties", json::object{}}};
};

struct prompt_fixture {
  std::string name;
  std::string description;
  std::vector<std::string> arguments; ///< all are required
  std::function<void(const json::object& arguments, const call_ptr& by)> get;
};

using tool_fixtures = std::vector<tool_fixture>;

/// Tools with a result of each kind.
tool_fixtures content_tools();
/// Tools that report progress and log messages.
tool_fixtures telling_tools();
/// Tools that change what the server offers, and report that to `feed`.
tool_fixtures changing_tools(const std::shared_ptr<local_feed>& feed);
/// Tools that send requests to the client and wait for the answers (2025-11-25).
tool_fixtures asking_tools();
/// Tools whose result asks the client for input (2026-07-28).
tool_fixtures input_required_tools();
/// Tools whose calls become tasks (the extension `io.modelcontextprotocol/tasks`).
tool_fixtures task_tools();
/// Tools whose schemas must reach the client unchanged.
tool_fixtures schema_tools();

std::vector<prompt_fixture> prompt_fixtures();

} // namespace scratchpage::test
