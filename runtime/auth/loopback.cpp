#include "scratchpage/runtime/auth/loopback.hpp"

#include <string>

#include <arpa/inet.h>

namespace scratchpage::access {

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1" || host == "[::1]")
    return true;
  in_addr address{};
  return host.find('\0') == std::string_view::npos
         && ::inet_pton(AF_INET, std::string{host}.c_str(), &address) == 1
         && ntohl(address.s_addr) >> 24 == 127;
}

} // namespace scratchpage::access
