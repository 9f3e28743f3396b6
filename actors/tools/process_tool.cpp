#include "scratchpage/actors/tools/process_tool.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_text.hpp"

namespace scratchpage {

namespace {

child_limits limits_of(const process_tool& x) {
  child_limits result;
  result.max_line_bytes = x.max_line_bytes;
  result.grace = x.grace;
  result.min_backoff = x.min_backoff;
  result.max_backoff = x.max_backoff;
  return result;
}

tool_failure class_of(child_failure why) {
  switch (why) {
  case child_failure::timed_out:
    return tool_failure::timeout;
  case child_failure::died:
  case child_failure::stopped:
    return tool_failure::transient;
  default:
    return tool_failure::other;
  }
}

} // namespace

process_tool_state::process_tool_state(handle::pointer, tool_manifest manifest,
  const process_tool& tool, std::shared_ptr<child_interrupt> interrupt)
  : manifest_{std::move(manifest)},
    max_line_bytes_{tool.max_line_bytes},
    child_{
      {tool.command, tool.env, tool.working_directory}, limits_of(tool), std::move(interrupt)} {}

process_tool_state::handle::behavior_type process_tool_state::make_behavior() {
  return {[this](tool_request& x) { return call(x); }};
}

tool_response process_tool_state::call(tool_request& request) {
  auto by = child_process::deadline_in(call_timeout(request, manifest_));
  request.thread_id.clear(); // whose it is concerns no program
  request.planned_by.clear();
  auto line = to_text(to_json(request));
  auto reply = child_.exchange(line, by);
  if (reply.failure == child_failure::died && (manifest_.idempotent || reply.untouched))
    reply = child_.exchange(std::move(line), by);
  if (reply.failure == child_failure::none)
    return read_answer(request, reply.line);
  return failure(request, class_of(reply.failure), reply.error);
}

tool_response process_tool_state::read_answer(
  const tool_request& request, const std::string& line) {
  auto response = from_json_text<tool_response>(line, {.max_bytes = max_line_bytes_});
  if (response && response->request_id == request.request_id)
    return std::move(*response);
  // What else it writes would be taken for the answer to the next request.
  child_.end();
  if (!response)
    return failure(request, tool_failure::other,
      "answered what is no tool response (" + describe(response.error()) + "): " + printable(line));
  return failure(request, tool_failure::other,
    "answered request " + printable(response->request_id) + " instead of " + request.request_id);
}

tool_response process_tool_state::failure(
  const tool_request& request, tool_failure why, const std::string& text) const {
  auto full = manifest_.tool_id + " " + text;
  if (auto tail = child_.stderr_tail(); !tail.empty())
    full += "; its standard error ends with: "
            + printable(tail.substr(tail.size() - std::min<size_t>(tail.size(), 500)), 1000);
  return failed_call(request, why, full);
}

} // namespace scratchpage
