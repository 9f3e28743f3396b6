#include "scratchpage/runtime/net/http/http_answers.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage::http {

response to_response(const refusal& x) {
  response result;
  result.status = x.status;
  result.headers.push_back({"Content-Type", "application/json"});
  if (x.retry_after > 0)
    result.headers.push_back({"Retry-After", std::to_string(x.retry_after)});
  result.body =
    to_text(json::value(json::object{{"error", to_json(fail(x.name, x.field, x.expected))}}));
  return result;
}

refusal overloaded(std::string expected) {
  return {503, errc::overloaded, "", std::move(expected), 1};
}

} // namespace scratchpage::http

namespace scratchpage::http {

namespace {

/// Fields of limits that the request itself exceeds, or that only an operator can change: the same
/// request would be refused again.
bool is_lasting(std::string_view field) {
  constexpr std::array<std::string_view, 5> lasting{
    "agent", "answer", "instructions", "items", "pins"};
  return std::find(lasting.begin(), lasting.end(), field) != lasting.end();
}

} // namespace

uint32_t status_of(errc code) {
  switch (code) {
  case errc::none:
    return 200;
  case errc::invalid_observation:
  case errc::unknown_type:
  case errc::immutable_field:
  case errc::invalid_request:
    return 400;
  case errc::unauthenticated:
    return 401;
  case errc::forbidden:
    return 403;
  case errc::not_found:
    return 404;
  case errc::invalid_transition:
  case errc::conflict:
    return 409;
  case errc::storage_unavailable:
  case errc::overloaded:
    return 503;
  case errc::deadline_exceeded:
    return 504;
  case errc::internal:
    break;
  }
  return 500;
}

http::response json_text_response(uint32_t status, std::string text) {
  return {status, {{"content-type", "application/json"}}, std::move(text)};
}

http::response json_response(uint32_t status, const json::object& body) {
  return json_text_response(status, to_text(body));
}

bool may_pass(const caf::error& why) {
  auto code = code_of(why);
  if (code == errc::storage_unavailable)
    return true;
  return code == errc::overloaded && !is_lasting(field_of(why));
}

http::response error_response(const caf::error& why) {
  auto result = json_response(status_of(code_of(why)), json::object{{"error", to_json(why)}});
  if (may_pass(why))
    result.headers.push_back({"retry-after", "1"});
  if (result.status == 401)
    result.headers.push_back({"www-authenticate", "Bearer"});
  return result;
}

} // namespace scratchpage::http
