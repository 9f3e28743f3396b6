#include "scratchpage/messages/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace scratchpage {

namespace {

using namespace std::chrono;

/// Reads exactly `digits` decimal digits off the front of `text`.
std::optional<int> take_number(std::string_view& text, size_t digits) {
  if (text.size() < digits)
    return std::nullopt;
  int value = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + digits, value);
  if (ec != std::errc{} || end != text.data() + digits || text.front() == '-')
    return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos)
    return false;
  text.remove_prefix(1);
  return true;
}

std::optional<nanoseconds> take_fraction(std::string_view& text) {
  if (!take(text, "."))
    return nanoseconds{0};
  int64_t value = 0;
  size_t digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1))
    if (digits < 9) {
      value = value * 10 + (text.front() - '0');
      ++digits;
    }
  if (digits == 0)
    return std::nullopt;
  for (; digits < 9; ++digits)
    value *= 10;
  return nanoseconds{value};
}

std::optional<minutes> take_offset(std::string_view& text) {
  if (take(text, "Zz"))
    return minutes{0};
  auto negative = !text.empty() && text.front() == '-';
  if (!take(text, "+-"))
    return std::nullopt;
  auto h = take_number(text, 2);
  if (!h || *h > 23 || !take(text, ":"))
    return std::nullopt;
  auto m = take_number(text, 2);
  if (!m || *m > 59)
    return std::nullopt;
  auto offset = hours{*h} + minutes{*m};
  return negative ? -offset : offset;
}

/// Writes a number with `Digits` digits, and `after` behind it.
template <int Digits>
char* put(char* to, unsigned number, char after) {
  for (int i = Digits - 1; i >= 0; --i, number /= 10)
    to[i] = static_cast<char>('0' + number % 10);
  to[Digits] = after;
  return to + Digits + 1;
}

/// The day as "2025-11-05T". The last text is kept, because times that are written one after the
/// other are mostly of one day.
std::string_view text_of(sys_days day) {
  struct written {
    std::optional<sys_days> day;
    std::array<char, 11> text;
  };
  thread_local written last{};
  if (last.day != day) {
    year_month_day date{day};
    auto* end = put<4>(last.text.data(), static_cast<unsigned>(int{date.year()}), '-');
    end = put<2>(end, unsigned{date.month()}, '-');
    put<2>(end, unsigned{date.day()}, 'T');
    last.day = day;
  }
  return {last.text.data(), last.text.size()};
}

} // namespace

std::string to_rfc3339(timestamp at) {
  std::string result(rfc3339_size, ' ');
  write_rfc3339(result.data(), at);
  return result;
}

char* write_rfc3339(char* to, timestamp at) {
  // Written by hand for speed: every observation that is stored or read has five times.
  auto day = floor<days>(at);
  auto date = text_of(day);
  to = std::copy(date.begin(), date.end(), to);
  auto in_day = static_cast<unsigned>(floor<milliseconds>(at - day).count());
  to = put<2>(to, in_day / 3'600'000, ':');
  to = put<2>(to, in_day / 60'000 % 60, ':');
  to = put<2>(to, in_day / 1'000 % 60, '.');
  return put<3>(to, in_day % 1'000, 'Z');
}

std::optional<timestamp> from_rfc3339(std::string_view text) {
  auto y = take_number(text, 4);
  if (!y || !take(text, "-"))
    return std::nullopt;
  auto mo = take_number(text, 2);
  if (!mo || !take(text, "-"))
    return std::nullopt;
  auto d = take_number(text, 2);
  if (!d || !take(text, "Tt "))
    return std::nullopt;
  auto h = take_number(text, 2);
  if (!h || *h > 23 || !take(text, ":"))
    return std::nullopt;
  auto mi = take_number(text, 2);
  if (!mi || *mi > 59 || !take(text, ":"))
    return std::nullopt;
  auto s = take_number(text, 2);
  if (!s || *s > 60) // 60: a leap second
    return std::nullopt;
  auto fraction = take_fraction(text);
  if (!fraction)
    return std::nullopt;
  auto offset = take_offset(text);
  year_month_day date{year{*y}, month{static_cast<unsigned>(*mo)}, day{static_cast<unsigned>(*d)}};
  // Nanoseconds since 1970 in 64 bits end in 2262.
  if (!offset || !text.empty() || !date.ok() || *y < 1700 || *y > 2250)
    return std::nullopt;
  return timestamp{sys_days{date}.time_since_epoch() + hours{*h} + minutes{*mi} + seconds{*s}
                   + *fraction - *offset};
}

std::string to_yyyymmdd(timestamp at) {
  year_month_day date{floor<days>(at)};
  std::array<char, 24> buffer;
  auto n = std::snprintf(buffer.data(), buffer.size(), "%04d%02u%02u", int{date.year()},
    unsigned{date.month()}, unsigned{date.day()});
  return {buffer.data(), static_cast<size_t>(n)};
}

timestamp to_milliseconds(timestamp at) {
  return floor<milliseconds>(at);
}

timespan from_minutes(double value) {
  return duration_cast<timespan>(duration<double, std::ratio<60>>{value});
}

timespan from_milliseconds(double value) {
  return duration_cast<timespan>(duration<double, std::milli>{value});
}

double in_milliseconds(timespan span) {
  return duration<double, std::milli>{span}.count();
}

} // namespace scratchpage
