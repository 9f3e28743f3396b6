#include "scratchpage/runtime/cli/commands/option_reader.hpp"

#include <charconv>
#include <cmath>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_shown = 100; // bytes of what was got

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
  text.append(utf8::shortened(got, most_shown)).append("'");
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

} // namespace scratchpage
