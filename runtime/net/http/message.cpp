#include "scratchpage/runtime/net/http/message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace scratchpage::http {

namespace {

std::string_view reason(uint32_t status) {
  switch (status) {
  case 200:
    return "OK";
  case 201:
    return "Created";
  case 202:
    return "Accepted";
  case 204:
    return "No Content";
  case 301:
    return "Moved Permanently";
  case 302:
    return "Found";
  case 303:
    return "See Other";
  case 304:
    return "Not Modified";
  case 307:
    return "Temporary Redirect";
  case 308:
    return "Permanent Redirect";
  case 400:
    return "Bad Request";
  case 401:
    return "Unauthorized";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 406:
    return "Not Acceptable";
  case 408:
    return "Request Timeout";
  case 409:
    return "Conflict";
  case 410:
    return "Gone";
  case 412:
    return "Precondition Failed";
  case 413:
    return "Content Too Large";
  case 414:
    return "URI Too Long";
  case 415:
    return "Unsupported Media Type";
  case 422:
    return "Unprocessable Content";
  case 426:
    return "Upgrade Required";
  case 429:
    return "Too Many Requests";
  case 431:
    return "Request Header Fields Too Large";
  case 500:
    return "Internal Server Error";
  case 501:
    return "Not Implemented";
  case 503:
    return "Service Unavailable";
  case 504:
    return "Gateway Timeout";
  default:
    return "Status";
  }
}

bool is_name(std::string_view x) { // a token of RFC 9110, 5.6.2
  auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || std::string_view{"!#$%&'*+-.^_`|~"}.find(c) != std::string_view::npos;
  };
  return !x.empty() && std::all_of(x.begin(), x.end(), fits);
}

bool has(const response& x, std::string_view lower) {
  return std::any_of(x.headers.begin(), x.headers.end(),
    [lower](const header& one) { return is_same_name(one.name, lower); });
}

bool is_json(const response& x) {
  return std::any_of(x.headers.begin(), x.headers.end(), [](const header& one) {
    return is_same_name(one.name, "content-type") && one.value.starts_with("application/json");
  });
}

/// An agent's data is kept in no cache, and no browser takes it for a web page.
void append_for_json(std::string& out, const response& x) {
  if (!has(x, "x-content-type-options"))
    out += "X-Content-Type-Options: nosniff\r\n";
  if (!has(x, "cache-control"))
    out += "Cache-Control: no-store\r\n";
}

bool is_left_to_us(std::string_view name) {
  return is_same_name(name, "content-length") || is_same_name(name, "transfer-encoding")
         || is_same_name(name, "connection") || is_same_name(name, "keep-alive");
}

void append_number(std::string& out, uint64_t x) {
  std::array<char, 24> digits;
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
  out.append(digits.data(), end);
}

void append_value(std::string& out, std::string_view x) {
  for (auto c : x)
    out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
}

} // namespace

bool has_no_body(uint32_t status) {
  return status < 200 || status == 204 || status == 304;
}

void append_head(std::string& out, const response& x, const head_facts& facts) {
  out += "HTTP/1.1 ";
  append_number(out, x.status);
  out += ' ';
  out += reason(x.status);
  out += "\r\n";
  for (const auto& header : x.headers) {
    if (!is_name(header.name) || is_left_to_us(header.name))
      continue;
    out += header.name;
    out += ": ";
    append_value(out, header.value);
    out += "\r\n";
  }
  if (is_json(x))
    append_for_json(out, x);
  if (facts.ends == framing::chunks) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (facts.ends == framing::length && !has_no_body(x.status)) {
    out += "Content-Length: ";
    append_number(out, x.body.size());
    out += "\r\n";
  }
  if (!facts.keep_alive)
    out += "Connection: close\r\n";
  else if (!facts.is_1_1)
    out += "Connection: keep-alive\r\n";
  out += "\r\n";
}

} // namespace scratchpage::http

namespace scratchpage::http {

namespace {

constexpr std::string_view scheme = "bearer ";

} // namespace

std::optional<std::string_view> bearer_in(std::string_view authorization) {
  if (!http::is_same_name(authorization.substr(0, scheme.size()), scheme))
    return std::nullopt;
  authorization.remove_prefix(scheme.size());
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  return authorization;
}

} // namespace scratchpage::http
