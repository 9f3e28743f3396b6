#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::auth {

/// Whether a host can only be reached from this machine: `localhost`, 127.0.0.0/8 as four numbers,
/// or ::1, also in brackets. In lower case; other spellings are not recognized.
bool is_loopback(std::string_view host);

/// Refuses requests that a foreign web page has made a browser send. A page whose name was made to
/// point here (DNS rebinding) is recognized by `Host`, any other page by `Origin` (RFC 9110, 7.2;
/// RFC 6454, 7), or by `Sec-Fetch-Site` where a browser sends no origin, as for an image (W3C,
/// Fetch Metadata Request Headers).
///
/// Allowed are `localhost`, 127.0.0.0/8 and [::1] with any port, and the configured names.
class host_check {
public:
  host_check() = default;

  /// `names`: "page.example.com" (with any port), "page.example.com:8443", "[2001:db8::1]".
  /// Each is allowed as a host, and as the origin of pages that call the server. A name with a
  /// scheme, "https://app.example.com", is allowed as an origin only, and has to match exactly.
  /// Errors: `invalid_request` about a name that is neither.
  static caf::expected<host_check> make(const std::vector<std::string>& names);

  /// `forbidden` about a header that is missing, repeated, malformed or not allowed. `Origin` may
  /// be missing: then no web page has sent the request.
  caf::error check(const http::request& x) const;

  /// As above, for paths that tell nothing about agents. Health probes call the server by its
  /// address, so `Host` may also be the address to which the connection was made. A page that uses
  /// DNS rebinding has a name there.
  caf::error check_probe(const http::request& x) const;

private:
  static caf::error check_fetch(const http::request& x);

  struct authority {
    std::string host; ///< in lower case; an IPv6 address with its brackets
    std::string port; ///< "": none
  };

  static std::optional<authority> read(std::string_view text);
  bool is_allowed(const authority& x) const;
  caf::error check(const http::request& x, std::string_view also) const;
  bool is_allowed_origin(std::string_view text) const;

  std::vector<authority> names_;
  std::vector<std::string> origins_;
};

/// How clients are going to reach a server.
struct listen_plan {
  std::string address;          ///< without the port; the path of a local socket
  bool has_tls = false;         ///< a certificate and its key are configured
  bool has_valid_token = false; ///< there is a token that is valid now
};

/// Requires TLS and a token for an address that other machines can reach (contract 12). Error:
/// `invalid_request` about `--listen`, which says what is missing and how to get it.
caf::error check_listening(const listen_plan& x);

} // namespace scratchpage::auth
