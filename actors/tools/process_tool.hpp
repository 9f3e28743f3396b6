#pragma once

#include <memory>

#include "scratchpage/actors/tools/child_process.hpp"
#include "scratchpage/actors/tools/tool_answers.hpp"
#include "scratchpage/actors/tools/tool_definition.hpp"

namespace scratchpage {

/// Talks to a program and waits for it. Behind a SERIAL TOOL, on a thread of
/// its own. A program that died before it answered is started again and asked
/// again, once, if the tool is idempotent or it never read the request. One
/// that answers late, too much, not in JSON or to another request is ended.
class process_tool_state {
public:
  using handle = tool_actor;
  static constexpr const char* name = "process_tool";

  process_tool_state(handle::pointer self, tool_manifest manifest, const process_tool& tool,
    std::shared_ptr<child_interrupt> interrupt);

  handle::behavior_type make_behavior();

private:
  tool_response call(tool_request& request);
  tool_response read_answer(const tool_request& request, const std::string& line);
  tool_response failure(
    const tool_request& request, tool_failure why, const std::string& text) const;

  tool_manifest manifest_;
  size_t max_line_bytes_;
  child_process child_;
};

} // namespace scratchpage
