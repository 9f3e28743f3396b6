#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::http {

/// What the transport itself answers, without a handler.
struct refusal {
  uint32_t status = 400;
  errc name = errc::invalid_request;
  std::string field;        ///< "": none
  std::string expected;     ///< a sentence
  uint32_t retry_after = 0; ///< seconds; 0: says nothing of it
};

/// {"error": {"code": …, "message": …, "field": …}}, as all errors are told of.
response to_response(const refusal& x);

/// A bound is reached: 503, to be tried again.
refusal overloaded(std::string expected);

} // namespace scratchpage::http
