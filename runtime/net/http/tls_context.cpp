#include "scratchpage/runtime/net/http/tls_context.hpp"

#include "scratchpage/messages/error.hpp"

namespace scratchpage::http {

namespace asio = boost::asio;

caf::expected<std::shared_ptr<asio::ssl::context>> make_tls_context(
  const std::string& certificate_file, const std::string& key_file) {
  auto result = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  auto* native = result->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS); // an idle connection needs none
  // A key with a passphrase is an error, not a question on the terminal.
  boost::system::error_code ec;
  result->set_password_callback(
    [](size_t, asio::ssl::context::password_purpose) { return std::string{}; }, ec);
  result->use_certificate_chain_file(certificate_file, ec);
  if (ec)
    return fail(errc::invalid_request, "http.certificate_file",
      "expected a certificate in PEM, not " + certificate_file + ": " + ec.message());
  result->use_private_key_file(key_file, asio::ssl::context::pem, ec);
  if (ec || SSL_CTX_check_private_key(native) != 1)
    return fail(errc::invalid_request, "http.key_file",
      "expected the certificate's key in PEM without a passphrase, not " + key_file);
  return result;
}

} // namespace scratchpage::http
