#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scratchpage/runtime/mcp/server/call.hpp"
#include "scratchpage/tests/runtime/mcp/server/conformance_server/local_feed.hpp"

/// What the official conformance suite of MCP expects of a server under test: tools,
/// resources and prompts with names and behaviour of its choice.

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
  std::vector<std::string> arguments; ///< all of them required
  std::function<void(const json::object& arguments, const call_ptr& by)> get;
};

using tool_fixtures = std::vector<tool_fixture>;

/// Their results are of each kind there is.
tool_fixtures content_tools();
/// They tell how far they are, and log.
tool_fixtures telling_tools();
/// They change what is offered; others hear of it by `feed`.
tool_fixtures changing_tools(const std::shared_ptr<local_feed>& feed);
/// They ask the client, which answers while they wait (2025-11-25).
tool_fixtures asking_tools();
/// They ask the client by their result (2026-07-28).
tool_fixtures input_required_tools();
/// They have schemas that want to be passed on as they are.
tool_fixtures schema_tools();

std::vector<prompt_fixture> prompt_fixtures();

} // namespace scratchpage::test
