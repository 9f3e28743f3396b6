#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scratchpage::http_client {

/// Where a server is reached over HTTP (RFC 3986, of the schemes http and https).
struct address {
  bool secure = false;
  std::string host;      ///< without the brackets of an IPv6 address
  std::string port;      ///< "80" or "443" if the text names none
  std::string target;    ///< path and query, at least "/"
  std::string authority; ///< for the header Host

  bool operator==(const address&) const = default;
};

inline constexpr std::string_view address_expectation =
  "http:// or https://, a host, and no user, password or fragment";

/// Nothing if it is no such address. Credentials belong into headers.
std::optional<address> read_address(std::string_view text);

} // namespace scratchpage::http_client
