#include "scratchpage/messages/text/human_time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace scratchpage {

namespace {

/// At most one digit behind the point, and none if it would be 0.
std::string short_number(double x) {
  std::array<char, 32> buffer;
  auto rounded = std::round(x * 10) / 10;
  auto digits = rounded == std::floor(rounded) ? 0 : 1;
  auto* begin = buffer.data();
  auto end = std::to_chars(begin, begin + buffer.size(), rounded, std::chars_format::fixed, digits);
  return {begin, end.ptr};
}

std::string two_units(double x, std::string_view unit, double per, std::string_view smaller) {
  auto whole = std::floor(x);
  auto rest = std::floor((x - whole) * per + 1e-6);
  auto result = short_number(whole).append(" ").append(unit);
  return rest == 0 ? result : result + " " + short_number(rest).append(" ").append(smaller);
}

} // namespace

std::string human_time(double ms) {
  if (ms < 1 && ms > 0)
    return short_number(std::max(ms, 0.1)) + " ms";
  if (ms < 1000)
    return short_number(std::round(ms)) + " ms";
  if (ms < 60'000)
    return short_number(ms / 1000) + " s";
  if (ms < 3'600'000)
    return two_units(ms / 60'000, "min", 60, "s");
  if (ms < 86'400'000)
    return two_units(ms / 3'600'000, "h", 60, "min");
  return two_units(ms / 86'400'000, "d", 24, "h");
}

} // namespace scratchpage
