#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scratchpage::http_client {

/// The operating system's limit for the path of a local socket (unix(7): 108 with a zero at the
/// end).
inline constexpr size_t max_socket_path_bytes = 107;

/// The parts of a server's URL (RFC 3986) with the scheme http or https; or a local socket.
struct address {
  bool secure = false;
  std::string host;             ///< without the brackets of an IPv6 address
  std::string port;             ///< "80" or "443" if the URL has none
  std::string target;           ///< path and query, at least "/"
  std::string authority;        ///< the value of the header Host
  std::string socket_path = {}; ///< of a local socket; "": host and port

  bool operator==(const address&) const = default;
};

inline constexpr std::string_view address_expectation =
  "http:// or https://, a host, and no user, password or fragment";

/// Nothing if `text` is no such URL. URLs with a user or a password are refused: credentials belong
/// into headers.
std::optional<address> read_address(std::string_view text);

} // namespace scratchpage::http_client
