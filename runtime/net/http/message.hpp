#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HTTP (RFC 9110) as handlers see it, without a library and without a connection.

namespace scratchpage::http {

struct header {
  std::string name; ///< in requests always in small letters
  std::string value;

  bool operator==(const header&) const = default;
};

/// What was asked, whole: bodies are read before a handler hears of them.
struct request {
  std::string method; ///< "GET", "POST", …
  std::string path;   ///< as it was sent, up to the '?'
  std::string query;  ///< as it was sent, after the '?'
  std::vector<http::header> headers;
  std::string body;
  std::string peer;    ///< the address it came from, without port; "local" of a local socket
  std::string local;   ///< the address that it came to, without port; "" of a local socket
  bool secure = false; ///< came over TLS

  /// The first of that name, written in small letters; null: none.
  const std::string* header(std::string_view name) const {
    for (const auto& x : headers)
      if (x.name == name)
        return &x.value;
    return nullptr;
  }
};

/// An answer, or what a stream begins with. Lengths, dates and connections are added.
struct response {
  uint32_t status = 200;
  std::vector<http::header> headers;
  std::string body;
  std::shared_ptr<const void> held; ///< let go of when the answer is written
};

} // namespace scratchpage::http
