#include "scratchpage/runtime/cli/commands/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"
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
    refuse(option, "a time such as 2025-11-05T10:30:00Z, or a date", from);
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
    .text("--turn", x.turn, result.turn_id)
    .time("--after", x.after, result.created_after)
    .time("--before", x.before, result.created_before);
  if (auto least = result.min_confidence; least && !(*least >= 0 && *least <= 1))
    read.refuse("--min-confidence", confidence, x.min_confidence);
  if (read.error())
    return read.error();
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
