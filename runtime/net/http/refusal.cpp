#include "scratchpage/runtime/net/http/refusal.hpp"

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
