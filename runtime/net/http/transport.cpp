#include "scratchpage/runtime/net/http/transport.hpp"

#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::http {

namespace {

/// What transports with and without TLS have in common.
template <class Stream>
class stream_transport : public transport {
public:
  explicit stream_transport(Stream x)
    : stream_{std::move(x)} {}

  void read(asio::mutable_buffer to, std::shared_ptr<owner> by) override {
    stream_.async_read_some(to, [by = std::move(by)](const boost::system::error_code& ec,
                                  size_t bytes) { by->on_read(ec ? 0 : bytes); });
  }

  void write(const std::array<asio::const_buffer, 2>& from, std::shared_ptr<owner> by) override {
    stream_.async_write_some(from, [by = std::move(by)](const boost::system::error_code& ec,
                                     size_t bytes) { by->on_written(ec ? 0 : bytes); });
  }

  void close() override {
    boost::system::error_code ignored;
    stream_.lowest_layer().close(ignored);
  }

protected:
  Stream stream_;
};

class plain final : public stream_transport<socket> {
public:
  using stream_transport::stream_transport;

  void open(std::shared_ptr<owner> by) override { by->on_open(true); }

  void finish(std::shared_ptr<owner>) override {
    boost::system::error_code ignored;
    stream_.shutdown(socket::shutdown_send, ignored);
  }

  bool is_secure() const override { return false; }

  void become_websocket(websocket_setup setup) override {
    start_websocket(std::move(stream_), std::move(setup));
  }
};

class tls final : public stream_transport<tls_stream> {
public:
  using stream_transport::stream_transport;

  void open(std::shared_ptr<owner> by) override {
    stream_.async_handshake(tls_stream::server,
      [by = std::move(by)](const boost::system::error_code& ec) { by->on_open(!ec); });
  }

  void finish(std::shared_ptr<owner> by) override {
    // The client's answer to this ends the reading.
    stream_.async_shutdown([by = std::move(by)](const boost::system::error_code&) {});
  }

  bool is_secure() const override { return true; }

  void become_websocket(websocket_setup setup) override {
    start_websocket(std::move(stream_), std::move(setup));
  }
};

} // namespace

caf::expected<std::shared_ptr<asio::ssl::context>> make_tls_context(
  const std::string& certificate_file, const std::string& key_file) {
  auto result = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  auto* native = result->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS); // idle connections need none
  // A key with a passphrase is an error: OpenSSL must not ask for it on the terminal.
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

std::unique_ptr<transport> plain_transport(socket x) {
  return std::make_unique<plain>(std::move(x));
}

std::unique_ptr<transport> tls_transport(socket x, asio::ssl::context& context) {
  return std::make_unique<tls>(tls_stream{std::move(x), context});
}

} // namespace scratchpage::http
