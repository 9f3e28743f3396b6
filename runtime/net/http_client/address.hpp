#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scratchpage::http_client {

/// The parts of a server's URL (RFC 3986) with the scheme http or https.
struct address {
  bool secure = false;
  std::string host;      ///< without the brackets of an IPv6 address
  std::string port;      ///< "80" or "443" if the URL has none
  std::string target;    ///< path and query, at least "/"
  std::string authority; ///< the value of the header Host

  bool operator==(const address&) const = default;
};

inline constexpr std::string_view address_expectation =
  "http:// or https://, a host, and no user, password or fragment";

/// Nothing if `text` is no such URL. URLs with a user or a password are refused: credentials belong
/// into headers.
std::optional<address> read_address(std::string_view text);

} // namespace scratchpage::http_client
