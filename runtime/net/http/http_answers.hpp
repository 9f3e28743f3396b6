#pragma once

#include <cstdint>

#include <caf/error.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

/// Results and errors as HTTP has them.

namespace scratchpage::serve {

/// The status of an error (contract 4): 4xx is the client's to mend, 503 and 504 are
/// worth another try.
uint32_t status_of(errc code);

/// `text` is JSON.
http::response json_text_response(uint32_t status, std::string text);
http::response json_response(uint32_t status, const json::object& body);

/// Whether the same request may be answered in a while: `storage_unavailable`, and `overloaded`
/// unless it is about a bound that stays as it is.
bool may_pass(const caf::error& why);

/// `{"error": {code, message, field}}`; with `Retry-After` where another try may do, and
/// `WWW-Authenticate` where nobody vouches for the client.
http::response error_response(const caf::error& why);

} // namespace scratchpage::serve
