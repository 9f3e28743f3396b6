#include "scratchpage/actors/turns/turn_warnings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// Bytes of an alert that are read for its warning, white space included.
constexpr size_t reach_of_warning = 4 * warning_limits::content_bytes;

/// The text on one line: each run of white space becomes one blank.
std::string on_one_line(std::string_view text) {
  std::string result;
  auto blank = false;
  while (!text.empty()) {
    auto next = utf8::first_character(text);
    if (utf8::is_white_space(next.code)) {
      blank = !result.empty();
    } else {
      if (std::exchange(blank, false))
        result += ' ';
      result.append(text.substr(0, next.bytes));
    }
    text.remove_prefix(next.bytes);
  }
  return result;
}

bool ends_a_sentence(std::string_view text) {
  constexpr std::array<std::string_view, 7> ends{".", "!", "?", "…", "。", "！", "？"};
  return std::any_of(
    ends.begin(), ends.end(), [&](std::string_view end) { return text.ends_with(end); });
}

} // namespace

std::vector<std::string> alerts_of(const std::vector<observation_ptr>& turn) {
  std::vector<std::string> result;
  auto routing = first_by("router", turn, "routing_decision");
  const auto* ids = routing ? routing->metadata.if_contains("alert_ids") : nullptr;
  if (ids == nullptr || !ids->is_array())
    return result;
  for (const auto& id : ids->get_array())
    if (id.is_string() && result.size() < warning_limits::alerts)
      result.emplace_back(id.get_string());
  return result;
}

std::string warning_of(const observation& alert) {
  auto result = "Warning: "
                + utf8::shortened(on_one_line(utf8::prefix(alert.content, reach_of_warning)),
                  warning_limits::content_bytes);
  return ends_a_sentence(result) ? result : result + ".";
}

void take_warnings(turn_result& x, const std::vector<observation_ptr>& alerts) {
  x.warnings.clear();
  for (const auto& one : alerts) {
    if (!one || !is_live(one->status))
      continue;
    auto told = warning_of(*one);
    if (std::find(x.warnings.begin(), x.warnings.end(), told) == x.warnings.end())
      x.warnings.push_back(std::move(told));
  }
}

void begin_with_warnings(turn_result& x) {
  std::string result;
  for (const auto& one : x.warnings)
    if (x.response.find(one) == std::string::npos)
      result.append(result.empty() ? "" : " ").append(one);
  if (!x.response.empty())
    result.append(result.empty() ? "" : " ").append(x.response);
  x.response = std::move(result);
}

} // namespace scratchpage
