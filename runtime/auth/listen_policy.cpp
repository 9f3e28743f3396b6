#include "scratchpage/runtime/auth/listen_policy.hpp"

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/escaped_text.hpp"
#include "scratchpage/runtime/auth/loopback.hpp"

namespace scratchpage::access {

caf::error check_listening(const listen_plan& x) {
  auto is_local_socket = x.address.starts_with('/');
  if (is_local_socket || is_loopback(x.address) || (x.has_tls && x.has_valid_token))
    return {};
  std::string missing;
  if (!x.has_tls)
    missing = "--tls-certificate and --tls-key";
  if (!x.has_valid_token)
    missing.append(missing.empty() ? "" : ", and ")
      .append("a token that is valid ('scratchpage token add' makes one)");
  return fail(errc::invalid_request, "--listen",
    "expected an address of this machine alone, such as 127.0.0.1, got '" + escaped(x.address)
      + "'; any other needs " + missing);
}

} // namespace scratchpage::access
