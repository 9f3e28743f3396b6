#include "scratchpage/persistence/trace/trace_place.hpp"

#include <charconv>
#include <system_error>

namespace scratchpage {

std::string trace_place::to_cursor() const {
  return std::to_string(epoch) + "-" + std::to_string(batch) + "-" + std::to_string(number);
}

std::optional<trace_place> read_trace_cursor(std::string_view text) {
  trace_place result;
  if (text.empty())
    return result;
  const auto* next = text.data();
  const auto* end = next + text.size();
  for (auto* x : {&result.epoch, &result.batch, &result.number}) {
    if (x != &result.epoch && (next == end || *next++ != '-'))
      return std::nullopt;
    auto [rest, error] = std::from_chars(next, end, *x);
    if (error != std::errc{} || *x < 0)
      return std::nullopt;
    next = rest;
  }
  return next == end ? std::optional{result} : std::nullopt;
}

} // namespace scratchpage
