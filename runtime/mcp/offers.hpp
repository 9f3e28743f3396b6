#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/json.hpp"

/// What clients of MCP are told of: tools, resources, prompts.

namespace scratchpage::mcp {

/// Definitions of all tools, each an operation of the contract.
json::array tool_definitions();

/// Whether there is a tool of that name.
bool is_tool(std::string_view name);

json::array resource_definitions();
json::array resource_templates();
json::array prompt_definitions();

/// The operation that reads a resource.
struct resource_source {
  std::string operation;
  json::object arguments;
};

/// Nothing if there is no such resource.
std::optional<resource_source> source_of(std::string_view uri);

} // namespace scratchpage::mcp
