#include "scratchpage/actors/tools/tool_answers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

std::string as_ms(timespan span) {
  return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(span).count()) + " ms";
}

/// Whether the character is neither a control character nor invalid UTF-8.
bool is_printable(const utf8::character& x) {
  return x.valid && x.code >= 0x20 && x.code != 0x7f;
}

} // namespace

tool_response failed_call(const tool_request& request, tool_failure why, std::string_view text) {
  tool_response result;
  result.request_id = request.request_id;
  result.status = why == tool_failure::timeout ? tool_status::timeout : tool_status::error;
  result.outputs["error"] = json::string_view{text.data(), text.size()};
  result.outputs["error_class"] = to_string(why);
  return result;
}

tool_response overloaded_call(const tool_request& request, size_t bound) {
  return failed_call(request, tool_failure::transient,
    "overloaded: " + std::to_string(bound) + " calls are waiting already");
}

tool_response timed_out_call(const tool_request& request, timespan waited) {
  return failed_call(request, tool_failure::timeout, "timeout: no answer within " + as_ms(waited));
}

tool_response unknown_tool(const tool_request& request, std::vector<std::string> known) {
  std::sort(known.begin(), known.end());
  std::string names;
  for (const auto& id : known)
    names.append(names.empty() ? "" : ", ").append(id);
  return failed_call(request, tool_failure::not_found,
    "tool " + printable(request.tool_id) + " not found; known are "
      + (names.empty() ? "none" : names));
}

json::object unanswered_outputs(std::string_view note) {
  return {{"unanswered", true}, {"note", json::string_view{note.data(), note.size()}}};
}

bool is_unanswered(tool_status status, const json::object& outputs) {
  const auto* x = outputs.if_contains("unanswered");
  return status == tool_status::partial && x != nullptr && x->is_bool() && x->get_bool();
}

std::string turn_of(const std::string& request_id) {
  auto slash = request_id.rfind('/');
  return slash == std::string::npos ? std::string{} : request_id.substr(0, slash);
}

timespan call_timeout(const tool_request& request, const tool_manifest& manifest) {
  using namespace std::chrono;
  auto wanted = request.timeout_ms > 0 ? request.timeout_ms : manifest.timeout_ms;
  return std::clamp<timespan>(span_of(wanted), milliseconds{1}, hours{24});
}

timespan span_of(double milliseconds) {
  constexpr double century = 100.0 * 365 * 24 * 3600 * 1000;
  if (!(milliseconds > 0))
    return timespan{0};
  return from_milliseconds(std::min(milliseconds, century));
}

std::string printable(std::string_view text, size_t max) {
  std::string result;
  while (!text.empty() && result.size() < max) {
    auto next = utf8::first_character(text);
    if (next.bytes > max - result.size())
      break;
    result.append(is_printable(next) ? text.substr(0, next.bytes) : "?");
    text.remove_prefix(next.bytes);
  }
  if (!text.empty())
    result += "…";
  return result;
}

} // namespace scratchpage
