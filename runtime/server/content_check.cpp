#include "scratchpage/runtime/server/content_check.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/runtime/net/http/header_text.hpp"
#include "scratchpage/runtime/net/http/http_answers.hpp"

namespace scratchpage::serve {

namespace {

bool is_utf8(std::string_view charset) {
  if (charset.size() > 1 && charset.front() == '"' && charset.back() == '"')
    charset = charset.substr(1, charset.size() - 2);
  return http::is_same_name(charset, "utf-8") || http::is_same_name(charset, "utf8")
         || http::is_same_name(charset, "us-ascii");
}

/// Whether a content type names no charset, or ours.
bool has_our_charset(std::string_view type) {
  for (auto end = type.find(';'); end != std::string_view::npos; end = type.find(';')) {
    type.remove_prefix(end + 1);
    auto parameter = http::without_blanks(type.substr(0, type.find(';')));
    auto mark = std::min(parameter.find('='), parameter.size());
    if (http::is_same_name(http::without_blanks(parameter.substr(0, mark)), "charset"))
      if (!is_utf8(http::without_blanks(parameter.substr(std::min(mark + 1, parameter.size())))))
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
    if (each.name == "content-encoding"
        && !http::is_same_name(http::without_blanks(each.value), "identity")) {
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
