#include "scratchpage/messages/trace.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

constexpr size_t whole = 55; // "00-" 32 "-" 16 "-" 2

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
    [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_id(std::string_view text) {
  return is_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

} // namespace

std::optional<trace_context> trace_context::parse(std::string_view x) {
  if (x.size() < whole || x[2] != '-' || x[35] != '-' || x[52] != '-')
    return {};
  auto version = x.substr(0, 2);
  auto flags = x.substr(53, 2);
  auto is_longer = x.size() > whole;
  if (!is_hex(version) || version == "ff" || !is_hex(flags)
      || (is_longer && (version == "00" || x[whole] != '-')))
    return {};
  trace_context result{std::string{x.substr(3, 32)}, std::string{x.substr(36, 16)}};
  if (!is_id(result.trace_id) || !is_id(result.parent_id))
    return {};
  constexpr std::string_view odd = "13579bdf"; // the lowest bit is `sampled`
  result.is_sampled = odd.find(flags[1]) != std::string_view::npos;
  return result;
}

std::string trace_context::to_traceparent() const {
  return "00-" + trace_id + '-' + parent_id + (is_sampled ? "-01" : "-00");
}

} // namespace scratchpage
