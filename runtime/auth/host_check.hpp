#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/message.hpp"

namespace scratchpage::access {

/// Tells requests that were meant for this server from those that a web page made
/// somebody's browser send. A page whose name was made to point here (DNS rebinding)
/// gives itself away by `Host`, any other page by `Origin` (RFC 9110, 7.2; RFC 6454, 7), or
/// by `Sec-Fetch-Site` where a browser sends no origin, as with an image (W3C, Fetch Metadata
/// Request Headers).
///
/// Allowed are `localhost`, 127.0.0.0/8 and [::1] with any port, and what was configured.
class host_check {
public:
  host_check() = default;

  /// `names`: "page.example.com" (with any port), "page.example.com:8443", "[2001:db8::1]".
  /// They are what the server may be called, and where pages may come from that call it. With a
  /// scheme, "https://app.example.com", it is an origin alone, and exact. Errors:
  /// `invalid_request` about one that is neither.
  static caf::expected<host_check> make(const std::vector<std::string>& names);

  /// `forbidden` about the header that is missing, there twice, malformed or not allowed; a
  /// request without `Origin` comes from no web page.
  caf::error check(const http::request& x) const;

  /// As above, for what tells nothing about agents: `Host` may also be the address to which the
  /// connection was made, by which probes call. A page that was rebound has a name there.
  caf::error check_probe(const http::request& x) const;

private:
  static caf::error check_fetch(const http::request& x);

  struct authority {
    std::string host; ///< in small letters; an IPv6 address with its brackets
    std::string port; ///< "": none was given
  };

  static std::optional<authority> read(std::string_view text);
  bool is_allowed(const authority& x) const;
  caf::error check(const http::request& x, std::string_view also) const;
  bool is_allowed_origin(std::string_view text) const;

  std::vector<authority> names_;
  std::vector<std::string> origins_;
};

} // namespace scratchpage::access
