#include "scratchpage/runtime/net/http/target.hpp"

#include <algorithm>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage::http {

namespace {

constexpr size_t max_parameters = 256;

int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
         || c == '.' || c == '_' || c == '~';
}

/// Queries often come from HTML forms, in which a plus stands for a space.
caf::expected<std::string> decode_form(std::string_view text, std::string_view field) {
  std::string spaced{text};
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return percent_decode(spaced, field);
}

/// Removes the part before the next `mark`, and the mark, from `text`, and gives that part.
std::string_view take_until(std::string_view& text, char mark) {
  auto end = std::min(text.find(mark), text.size());
  auto result = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return result;
}

} // namespace

caf::expected<std::string> percent_decode(std::string_view text, std::string_view field) {
  auto escape = text.find('%');
  std::string result{text.substr(0, escape)};
  while (escape != std::string_view::npos) {
    auto high = escape + 2 < text.size() ? digit_of(text[escape + 1]) : -1;
    auto low = escape + 2 < text.size() ? digit_of(text[escape + 2]) : -1;
    if (high < 0 || low < 0)
      return fail(errc::invalid_request, field, "expected two hexadecimal digits after %");
    result += static_cast<char>(high * 16 + low);
    text.remove_prefix(escape + 3);
    escape = text.find('%');
    result += text.substr(0, escape);
  }
  if (result.find('\0') != std::string::npos)
    return fail(errc::invalid_request, field, "expected no zero byte");
  if (!utf8::is_valid(result))
    return fail(errc::invalid_request, field, "expected UTF-8");
  return result;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result;
  result.reserve(text.size());
  for (auto c : text) {
    if (is_unreserved(c)) {
      result += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    result += '%';
    result += digits[byte >> 4U];
    result += digits[byte & 15U];
  }
  return result;
}

caf::expected<std::vector<std::string>> path_segments(std::string_view path) {
  if (!path.starts_with('/'))
    return fail(errc::invalid_request, "path", "expected a path that begins with /");
  std::vector<std::string> result;
  if (path == "/")
    return result;
  result.reserve(static_cast<size_t>(std::count(path.begin(), path.end(), '/')));
  while (!path.empty()) {
    path.remove_prefix(1);
    auto end = std::min(path.find('/'), path.size());
    auto segment = percent_decode(path.substr(0, end), "path");
    if (!segment)
      return std::move(segment.error());
    result.push_back(std::move(*segment));
    path.remove_prefix(end);
  }
  return result;
}

caf::expected<query_parameters> parse_query(std::string_view query) {
  query_parameters result;
  while (!query.empty()) {
    auto value = take_until(query, '&');
    if (value.empty())
      continue;
    if (result.size() == max_parameters)
      return fail(errc::invalid_request, "query", "expected at most 256 parameters");
    auto name = decode_form(take_until(value, '='), "query");
    if (!name)
      return std::move(name.error());
    auto decoded = decode_form(value, *name);
    if (!decoded)
      return std::move(decoded.error());
    result.emplace_back(std::move(*name), std::move(*decoded));
  }
  return result;
}

} // namespace scratchpage::http
