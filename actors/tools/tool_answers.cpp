#include "scratchpage/actors/tools/tool_answers.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace scratchpage {

namespace {

std::string in_ms(timespan span) {
  return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(span).count()) + " ms";
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// The length of the character at the front of `text`; 0 if it is not one that
/// can be shown. Overlong forms and surrogates are refused by their first bytes.
size_t printable_length(std::string_view text) {
  auto first = static_cast<unsigned char>(text[0]);
  auto second = text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0;
  size_t length = 0;
  if (first < 0x80)
    return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first >= 0xc2 && first < 0xe0)
    length = 2;
  else if (first >= 0xe0 && first < 0xf0)
    length = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ? 0 : 3;
  else if (first >= 0xf0 && first < 0xf5)
    length = (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f) ? 0 : 4;
  if (length > text.size())
    return 0;
  for (size_t i = 1; i < length; ++i)
    if (!is_continuation(text[i]))
      return 0;
  return length;
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
  return failed_call(request, tool_failure::timeout, "timeout: no answer within " + in_ms(waited));
}

timespan call_timeout(const tool_request& request, const tool_manifest& manifest) {
  using namespace std::chrono;
  auto wanted = request.timeout_ms > 0 ? request.timeout_ms : manifest.timeout_ms;
  return std::clamp<timespan>(span_of(wanted), milliseconds{1}, hours{24});
}

timespan span_of(double milliseconds) {
  using namespace std::chrono;
  constexpr double century = 100.0 * 365 * 24 * 3600 * 1000;
  if (!(milliseconds > 0))
    return timespan{0};
  return duration_cast<timespan>(duration<double, std::milli>{std::min(milliseconds, century)});
}

std::string printable(std::string_view text, size_t max) {
  std::string result;
  while (!text.empty() && result.size() < max) {
    auto length = printable_length(text);
    if (length > max - result.size())
      break;
    result.append(length > 0 ? text.substr(0, length) : "?");
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  if (!text.empty())
    result += "…";
  return result;
}

} // namespace scratchpage
