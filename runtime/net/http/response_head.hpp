#pragma once

#include <string>

#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::http {

/// How a client knows where an answer ends (RFC 9112, 6.3).
enum class framing {
  length,     ///< it is said before
  chunks,     ///< an empty one ends it
  connection, ///< the connection ends with it
};

/// What an answer's head says beside what the handler wants.
struct head_facts {
  framing ends = framing::length;
  bool is_1_1 = true;     ///< of the request
  bool keep_alive = true; ///< the connection lasts
};

/// An answer's status line and headers with the empty line, at the end of `out`.
/// Headers about length and connection are left to `facts`; a name that is none is
/// left out, a line's end in a value becomes a space. JSON is neither kept by caches nor taken for
/// anything else, unless the handler says so.
void append_head(std::string& out, const response& x, const head_facts& facts);

/// A status without a body (RFC 9110, 6.4.1).
bool has_no_body(uint32_t status);

} // namespace scratchpage::http
