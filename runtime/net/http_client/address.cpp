#include "scratchpage/runtime/net/http_client/address.hpp"

#include <algorithm>
#include <charconv>

namespace scratchpage::http_client {

namespace {

bool is_port(std::string_view text) {
  uint16_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

/// Printable ASCII without blanks: nothing that could break a request's head.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Splits "host:port" or "[v6]:port"; the port may be missing.
bool split(std::string_view authority, address& out) {
  auto end_of_host = authority.find(':');
  if (authority.starts_with('[')) {
    auto bracket = authority.find(']');
    if (bracket == std::string_view::npos)
      return false;
    out.host = authority.substr(1, bracket - 1);
    end_of_host = bracket + 1;
  } else {
    out.host = authority.substr(0, end_of_host);
  }
  auto rest = end_of_host < authority.size() ? authority.substr(end_of_host) : std::string_view{};
  if (!rest.empty()) {
    if (!take(rest, ":") || !is_port(rest))
      return false;
    out.port = rest;
  }
  return !out.host.empty();
}

} // namespace

std::optional<address> read_address(std::string_view text) {
  address result;
  if (!is_plain(text))
    return std::nullopt;
  result.secure = take(text, "https://");
  if (!result.secure && !take(text, "http://"))
    return std::nullopt;
  auto end = std::min(text.find_first_of("/?"), text.size());
  auto authority = text.substr(0, end);
  result.target = text.substr(end);
  if (!result.target.starts_with('/'))
    result.target.insert(0, "/");
  result.authority = authority;
  result.port = result.secure ? "443" : "80";
  if (text.find('#') != std::string_view::npos || authority.find('@') != std::string_view::npos
      || !split(authority, result))
    return std::nullopt;
  return result;
}

} // namespace scratchpage::http_client
