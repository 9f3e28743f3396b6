#include "scratchpage/actors/tools/function_tool.hpp"

#include <exception>
#include <utility>

#include "scratchpage/actors/tools/tool_answers.hpp"

namespace scratchpage {

function_tool_state::function_tool_state(handle::pointer, std::string tool_id, tool_function call)
  : tool_id_{std::move(tool_id)},
    call_{std::move(call)} {}

function_tool_state::handle::behavior_type function_tool_state::make_behavior() {
  return {[this](const tool_request& x) { return call(x); }};
}

tool_response function_tool_state::call(const tool_request& request) const {
  try {
    auto response = call_(request);
    response.request_id = request.request_id;
    return response;
  } catch (const std::exception& e) {
    return failed_call(
      request, tool_failure::other, tool_id_ + " failed: " + printable(e.what(), 1000));
  } catch (...) {
    return failed_call(
      request, tool_failure::other, tool_id_ + " failed with an exception of an unknown type");
  }
}

} // namespace scratchpage
