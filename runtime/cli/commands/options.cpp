#include "scratchpage/runtime/cli/commands/options.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/cli/io/did_you_mean.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

namespace {

constexpr size_t max_shown = 100; // bytes of a wrong value

template <class T>
std::optional<T> number_in(const std::string& text) {
  T result{};
  const auto* end = text.data() + text.size();
  auto [stop, ec] = std::from_chars(text.data(), end, result);
  if (ec != std::errc{} || stop != end)
    return std::nullopt;
  return result;
}

bool looks_like_json(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[') || text.starts_with('"');
}

} // namespace

void option_reader::refuse(
  std::string_view option, std::string_view expected, std::string_view got) {
  if (error_)
    return;
  std::string text{"expected "};
  text.append(expected).append(", got '");
  text.append(utf8::shortened(got, max_shown)).append("'");
  error_ = fail(errc::invalid_request, option, text);
}

void option_reader::refuse_name(
  std::string_view option, const std::vector<std::string>& names, std::string_view got) {
  if (error_)
    return;
  std::string expected;
  for (const auto& name : names)
    expected.append(expected.empty() ? "one of " : ", ").append(name);
  refuse(option, expected, got);
  if (auto meant = did_you_mean(got, names); !meant.empty())
    error_ = fail(errc::invalid_request, option, expectation_of(error_) + meant);
}

bool option_reader::check_utf8(std::string_view option, const std::string& from) {
  if (utf8::is_valid(from))
    return true;
  if (!error_)
    error_ = fail(errc::invalid_request, option, "expected valid UTF-8");
  return false;
}

option_reader& option_reader::text(
  std::string_view option, const std::string& from, std::string& out) {
  if (check_utf8(option, from) && !from.empty())
    out = from;
  return *this;
}

option_reader& option_reader::text(
  std::string_view option, const std::string& from, std::optional<std::string>& out) {
  if (check_utf8(option, from) && !from.empty())
    out = from;
  return *this;
}

option_reader& option_reader::texts(
  std::string_view option, const std::vector<std::string>& from, std::vector<std::string>& out) {
  for (const auto& one : from) {
    if (one.empty())
      refuse(option, "a text", one);
    else if (check_utf8(option, one))
      out.push_back(one);
  }
  return *this;
}

option_reader& option_reader::number(std::string_view option, const std::string& from,
  std::optional<double>& out, std::string_view expected) {
  if (from.empty())
    return *this;
  out = number_in<double>(from);
  if (!out || !std::isfinite(*out))
    refuse(option, expected, from);
  return *this;
}

option_reader& option_reader::whole_number(
  std::string_view option, const std::string& from, uint32_t& out) {
  if (from.empty())
    return *this;
  if (auto x = number_in<uint32_t>(from))
    out = *x;
  else
    refuse(option, "a whole number", from);
  return *this;
}

option_reader& option_reader::time(
  std::string_view option, const std::string& from, std::optional<timestamp>& out) {
  if (from.empty())
    return *this;
  out = from_rfc3339(from);
  if (!out)
    out = from_rfc3339(from + "T00:00:00Z");
  if (!out)
    if (auto span = read_span(from))
      out = to_milliseconds(wall_clock{}.now() - *span);
  if (!out)
    refuse(option,
      "a time such as 2025-11-05T10:30:00Z, a date such as 2025-11-05, or a span before now such "
      "as "
      "90s, 15m, 1h or 2d",
      from);
  return *this;
}

option_reader& option_reader::object(
  std::string_view option, const std::string& from, json::object& out) {
  if (from.empty() || !check_utf8(option, from))
    return *this;
  auto value = parse_json(from);
  if (value && value->is_object())
    out = std::move(value->get_object());
  else
    refuse(option, R"(a JSON object such as {"goal_id": "trip"})", from);
  return *this;
}

option_reader& option_reader::scalars(std::string_view option, const std::vector<std::string>& from,
  std::map<std::string, json::value>& out) {
  for (const auto& one : from) {
    auto split = one.find('=');
    if (!check_utf8(option, one))
      return *this;
    if (split == std::string::npos || split == 0) {
      refuse(option, "PATH=JSON such as goal_id=\"trip\"", one);
      return *this;
    }
    auto text = one.substr(split + 1);
    auto value = parse_json(text);
    auto is_bare = !value && !text.empty() && !looks_like_json(text);
    if (is_bare)
      out[one.substr(0, split)] = json::value(text);
    else if (value && !value->is_object() && !value->is_array())
      out[one.substr(0, split)] = std::move(*value);
    else
      refuse(option, "a JSON text, number, true, false or null after PATH=", one);
  }
  return *this;
}

std::optional<timespan> read_span(std::string_view text) {
  constexpr std::chrono::hours longest{24 * 3'650};
  uint32_t count = 0;
  const auto* end = text.data() + text.size();
  auto [unit, ec] = std::from_chars(text.data(), end, count);
  if (ec != std::errc{} || end - unit != 1 || count == 0)
    return std::nullopt;
  std::chrono::seconds one{*unit == 's'   ? 1
                           : *unit == 'm' ? 60
                           : *unit == 'h' ? 3'600
                           : *unit == 'd' ? 86'400
                                          : 0};
  auto span = count * one;
  return span.count() > 0 && span <= longest ? std::optional<timespan>{span} : std::nullopt;
}

caf::expected<time_range> read_time_range(const std::string& after, const std::string& before) {
  time_range result;
  option_reader read;
  read.time("--after", after, result.after).time("--before", before, result.before);
  if (result.after && result.before && *result.after >= *result.before)
    read.refuse("--after", "a time before that of --before", after);
  if (read.error())
    return read.error();
  return result;
}

caf::expected<observation_filter> read_filter(const filter_options& x) {
  observation_filter result;
  option_reader read;
  constexpr auto confidence = "a number in [0, 1]";
  read.texts("--type", x.type, result.type)
    .names("--status", x.status, result.status)
    .texts("--tag", x.tag, result.tags)
    .texts("--source", x.source, result.source)
    .texts("--owner", x.owner, result.owner)
    .number("--min-confidence", x.min_confidence, result.min_confidence, confidence)
    .scalars("--where", x.where, result.context)
    .text("--turn", x.turn, result.turn_id);
  if (auto least = result.min_confidence; least && !(*least >= 0 && *least <= 1))
    read.refuse("--min-confidence", confidence, x.min_confidence);
  if (read.error())
    return read.error();
  auto when = read_time_range(x.after, x.before);
  if (!when)
    return when.error();
  result.created_after = when->after;
  result.created_before = when->before;
  return result;
}

caf::expected<paging> read_paging(const paging_options& x) {
  paging result;
  option_reader read;
  read.whole_number("--limit", x.limit, result.limit).text("--cursor", x.cursor, result.cursor);
  if (check_limit(result.limit))
    read.refuse("--limit", "1 to 1000", x.limit);
  if (read.error())
    return read.error();
  return result;
}

caf::expected<moment> read_until(const std::string& given) {
  constexpr auto option = "--until";
  option_reader read;
  uint64_t sequence = 0;
  const auto* end = given.data() + given.size();
  auto [stop, ec] = std::from_chars(given.data(), end, sequence);
  if (ec == std::errc{} && stop == end)
    return moment{sequence};
  std::optional<timestamp> time;
  if (std::all_of(given.begin(), given.end(), [](char c) { return c >= '0' && c <= '9'; }))
    read.refuse(option, "a sequence or a time", given);
  else
    read.time(option, given, time);
  if (time && *time > wall_clock{}.now())
    read.refuse(option, "a time in the past", given);
  if (read.error())
    return read.error();
  return moment{*time};
}

} // namespace scratchpage
