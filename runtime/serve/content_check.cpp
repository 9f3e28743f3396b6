#include "scratchpage/runtime/serve/content_check.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/runtime/serve/http_answers.hpp"

namespace scratchpage::serve {

namespace {

std::string_view without_blanks(std::string_view x) {
  constexpr std::string_view blanks = " \t";
  auto begin = x.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return x.substr(begin, x.find_last_not_of(blanks) - begin + 1);
}

bool is_same(std::string_view x, std::string_view lower) {
  return std::equal(x.begin(), x.end(), lower.begin(), lower.end(),
    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

bool is_utf8(std::string_view charset) {
  if (charset.size() > 1 && charset.front() == '"' && charset.back() == '"')
    charset = charset.substr(1, charset.size() - 2);
  return is_same(charset, "utf-8") || is_same(charset, "utf8") || is_same(charset, "us-ascii");
}

/// Whether a content type names no charset, or ours.
bool has_our_charset(std::string_view type) {
  for (auto end = type.find(';'); end != std::string_view::npos; end = type.find(';')) {
    type.remove_prefix(end + 1);
    auto parameter = without_blanks(type.substr(0, type.find(';')));
    auto mark = std::min(parameter.find('='), parameter.size());
    if (is_same(without_blanks(parameter.substr(0, mark)), "charset"))
      if (!is_utf8(without_blanks(parameter.substr(std::min(mark + 1, parameter.size())))))
        return false;
  }
  return true;
}

http::response refusal(std::string_view header, std::string_view expected) {
  auto result = error_response(fail(errc::invalid_request, header, expected));
  result.status = 415;
  return result;
}

} // namespace

std::optional<http::response> refuse_content(const http::request& x) {
  if (x.body.empty())
    return std::nullopt;
  auto types = 0;
  for (const auto& each : x.headers) {
    if (each.name == "content-encoding" && !is_same(without_blanks(each.value), "identity")) {
      auto result = refusal(each.name, "expected a body that is not compressed");
      result.headers.push_back({"accept-encoding", "identity"});
      return result;
    }
    if (each.name == "content-type" && (++types > 1 || !has_our_charset(each.value)))
      return refusal(each.name, "expected one content type, in UTF-8");
  }
  return std::nullopt;
}

} // namespace scratchpage::serve
