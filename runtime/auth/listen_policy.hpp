#pragma once

#include <string>

#include <caf/error.hpp>

namespace scratchpage::access {

/// How a server is about to be reached.
struct listen_plan {
  std::string address;          ///< without a port; of a local socket its path
  bool has_tls = false;         ///< a certificate and its key are configured
  bool has_valid_token = false; ///< somebody is let in
};

/// Off this machine there is no service without TLS and a token (contract 12).
/// `invalid_request` about `--listen`, which says what is missing and how to get it.
caf::error check_listening(const listen_plan& x);

} // namespace scratchpage::access
