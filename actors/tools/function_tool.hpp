#pragma once

#include <string>

#include "scratchpage/actors/tools/tool_definition.hpp"

namespace scratchpage {

/// Calls a function of the user's, one call at a time. Behind a SERIAL TOOL,
/// which bounds what waits and keeps the deadlines.
class function_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "function_tool";

  function_tool_state(handle::pointer self, std::string tool_id, tool_function call);

  handle::behavior_type make_behavior();

private:
  tool_response call(const tool_request& request) const;

  std::string tool_id_;
  tool_function call_;
};

} // namespace scratchpage
