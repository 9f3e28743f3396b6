#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/text/trimmed.hpp"

/// HTTP messages (RFC 9110), without a library and without a connection.

namespace scratchpage::http {

struct header {
  std::string name; ///< in lower case in requests
  std::string value;

  bool operator==(const header&) const = default;
};

/// A complete request: the body is read before a handler gets it.
struct request {
  std::string method; ///< "GET", "POST", …
  std::string path;   ///< as it was sent, up to the '?'
  std::string query;  ///< as it was sent, after the '?'
  std::vector<http::header> headers;
  std::string body;
  std::string peer;    ///< the address of the client, without port; "local" for a local socket
  std::string local;   ///< the address it connected to, without port; "" for a local socket
  bool secure = false; ///< came over TLS

  /// The value of the first header of that name, which is in lower case; null: there is none.
  const std::string* header(std::string_view name) const {
    for (const auto& x : headers)
      if (x.name == name)
        return &x.value;
    return nullptr;
  }
};

/// A response, or the head of a stream. The server adds headers for length, date and connection.
struct response {
  uint32_t status = 200;
  std::vector<http::header> headers;
  std::string body;
  std::shared_ptr<const void> held; ///< released when the response is written
};

/// A header's value without the blanks and tabs around it, which are not part of it (RFC 9110,
/// 5.5).
inline std::string_view without_blanks(std::string_view x) {
  return trimmed(x, " \t");
}

/// Compares the name of a header or of a parameter with `lower`, which is in lower case; the case
/// of ASCII letters in `x` does not matter (RFC 9110, 5.1).
inline bool is_same_name(std::string_view x, std::string_view lower) {
  auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::equal(x.begin(), x.end(), lower.begin(), lower.end(), same);
}

// -- what a connection writes ----------------------------------------------------------------

/// How a client finds the end of a response (RFC 9112, 6.3).
enum class framing {
  length,     ///< by `Content-Length`
  chunks,     ///< by an empty chunk
  connection, ///< by the end of the connection
};

/// What the head of a response says in addition to the handler's headers.
struct head_facts {
  framing ends = framing::length;
  bool is_1_1 = true;     ///< the version of the request is HTTP/1.1
  bool keep_alive = true; ///< the connection stays open
};

/// Appends the status line, the headers and the empty line of a response to `out`. Headers about
/// length and connection come from `facts` only. A header with an invalid name is left out; a line
/// end in a value becomes a space. For JSON, `Cache-Control: no-store` and
/// `X-Content-Type-Options: nosniff` are added, unless the handler has set them.
void append_head(std::string& out, const response& x, const head_facts& facts);

/// Whether responses with this status have no body (RFC 9110, 6.4.1).
bool has_no_body(uint32_t status);

} // namespace scratchpage::http

namespace scratchpage::http {

/// The token in the value of an `Authorization` header (RFC 6750, 2.1); nothing if the scheme is
/// not Bearer.
std::optional<std::string_view> bearer_in(std::string_view authorization);

} // namespace scratchpage::http
