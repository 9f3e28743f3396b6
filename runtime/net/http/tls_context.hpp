#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>
#include <caf/expected.hpp>

namespace scratchpage::http {

/// TLS 1.2 or later with a certificate; both files are PEM. Errors name the field of the
/// server's configuration.
caf::expected<std::shared_ptr<boost::asio::ssl::context>> make_tls_context(
  const std::string& certificate_file, const std::string& key_file);

} // namespace scratchpage::http
