#pragma once

#include <cstdint>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::http {

/// An error that the server answers by itself, without a handler.
struct refusal {
  uint32_t status = 400;
  errc name = errc::invalid_request;
  std::string field;        ///< "": none
  std::string expected;     ///< a sentence
  uint32_t retry_after = 0; ///< seconds; 0: no `Retry-After`
};

/// The answer `{"error": {"code": …, "message": …, "field": …}}`, the form of all errors.
response to_response(const refusal& x);

/// A limit is reached: 503 with `Retry-After`.
refusal overloaded(std::string expected);

} // namespace scratchpage::http

namespace scratchpage::http {

// Results and errors of operations as HTTP responses.

/// The status of an error (contract 4): 4xx if the request is wrong, 503 and 504 if the same
/// request may succeed later.
uint32_t status_of(errc code);

/// A response whose body is `text`, which is JSON.
http::response json_text_response(uint32_t status, std::string text);
http::response json_response(uint32_t status, const json::object& body);

/// Whether the same request may succeed later: `storage_unavailable`, and `overloaded` unless it is
/// about a limit that only the client or an operator can change.
bool may_pass(const caf::error& why);

/// `{"error": {code, message, field}}`, with `Retry-After` if the request may succeed later, and
/// with `WWW-Authenticate` if the client is not authenticated.
http::response error_response(const caf::error& why);

} // namespace scratchpage::http
