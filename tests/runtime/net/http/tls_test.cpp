#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <sys/stat.h>

#include "scratchpage/tests/runtime/net/http/served.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// TLS with a self-signed certificate, and local sockets.

namespace scratchpage::test {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// A new key and its certificate, as PEM files.
class certificate {
public:
  explicit certificate(const std::string& name) {
    auto* key = EVP_EC_gen("P-256");
    auto* x = X509_new();
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), -3'600);
    X509_gmtime_adj(X509_getm_notAfter(x), 3'600);
    X509_set_pubkey(x, key);
    auto* subject = X509_get_subject_name(x);
    X509_NAME_add_entry_by_txt(
      subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(x, subject);
    X509_sign(x, key, EVP_sha256());
    certificate_file = write("certificate.pem", [&](BIO* to) { PEM_write_bio_X509(to, x); });
    key_file = write("key.pem",
      [&](BIO* to) { PEM_write_bio_PrivateKey(to, key, nullptr, nullptr, 0, nullptr, nullptr); });
    X509_free(x);
    EVP_PKEY_free(key);
  }

  http::server_config config() const {
    http::server_config result;
    result.certificate_file = certificate_file;
    result.key_file = key_file;
    return result;
  }

  temp_dir dir;
  std::string certificate_file;
  std::string key_file;

private:
  template <class F>
  std::string write(const char* name, F pem) {
    auto* memory = BIO_new(BIO_s_mem());
    pem(memory);
    char* text = nullptr;
    auto size = BIO_get_mem_data(memory, &text);
    auto path = dir.file(name, {text, static_cast<size_t>(size)});
    BIO_free(memory);
    return path;
  }
};

/// A client that trusts only this certificate.
class tls_client {
public:
  tls_client(uint16_t port, const std::string& trusted, int newest = TLS1_3_VERSION) {
    context_.load_verify_file(trusted);
    context_.set_verify_mode(asio::ssl::verify_peer);
    SSL_CTX_set_max_proto_version(context_.native_handle(), newest);
    stream_.emplace(io_, context_);
    stream_->next_layer().connect({asio::ip::address_v4::loopback(), port});
    stream_->handshake(asio::ssl::stream_base::client);
  }

  void send(std::string_view bytes) { asio::write(*stream_, asio::buffer(bytes)); }

  /// Reads up to and including `mark`.
  std::string read_to(std::string_view mark) {
    auto size = asio::read_until(*stream_, asio::dynamic_buffer(buffer_), mark);
    auto result = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return result;
  }

  /// Waits for the end of the connection and returns how it ends. Fails if more bytes come.
  boost::system::error_code end() {
    boost::system::error_code ec;
    asio::read_until(*stream_, asio::dynamic_buffer(buffer_), '\0', ec);
    return ec;
  }

  void close() { stream_->next_layer().close(); }

private:
  asio::io_context io_;
  asio::ssl::context context_{asio::ssl::context::tls_client};
  std::optional<asio::ssl::stream<tcp::socket>> stream_;
  std::string buffer_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(secure)

BOOST_AUTO_TEST_CASE(requests_and_streams_go_over_tls) {
  certificate ours{"localhost"};
  awaited<bool> secure;
  awaited<stream_ptr> streams;
  auto server = serve(ours.config(), [&](auto request, auto back) {
    secure.set(request.secure);
    if (request.path == "/stream")
      streams.set(back->begin_stream({}));
    else
      echo(std::move(request), back);
  });
  tls_client client{server->port(), ours.certificate_file};
  std::string body(200'000, 'x');
  for (auto i = 0; i < 3; ++i) {
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 200001\r\n\r\n" + body + "y");
    client.read_to("\r\n\r\n");
    BOOST_TEST((client.read_to("y") == "POST /a  " + body + "y"));
    BOOST_TEST(secure.get());
  }
  client.send("GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  auto stream = streams.get();
  client.read_to("\r\n\r\n");
  stream->write("piece", [](bool) {});
  BOOST_TEST(client.read_to("piece\r\n") == "5\r\npiece\r\n");
  stream->close();
  BOOST_TEST(client.read_to("\r\n\r\n") == "0\r\n\r\n");
  BOOST_TEST(client.end() == asio::error::eof); // a clean TLS shutdown
}

BOOST_AUTO_TEST_CASE(websockets_go_over_tls) {
  certificate ours{"localhost"};
  auto server = serve(ours.config(), [&](auto, auto back) {
    auto stream = back->accept_websocket();
    stream->on_message([stream](std::string x) { stream->write("heard " + x, [](bool) {}); });
  });
  tls_client client{server->port(), ours.certificate_file};
  client.send("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
  client.read_to("\r\n\r\n");
  client.send(std::string("\x81\x82\0\0\0\0hi", 8));
  BOOST_TEST(client.read_to("hi") == "\x81\x08heard hi");
}

BOOST_AUTO_TEST_CASE(old_versions_of_tls_are_refused) {
  certificate ours{"localhost"};
  auto server = serve(ours.config(), echo);
  BOOST_CHECK_THROW((tls_client{server->port(), ours.certificate_file, TLS1_1_VERSION}),
    boost::system::system_error);
  tls_client client{server->port(), ours.certificate_file, TLS1_2_VERSION};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(client.read_to("\r\n") == "HTTP/1.1 200 OK\r\n");
}

BOOST_AUTO_TEST_CASE(who_does_not_shake_hands_is_let_go) {
  certificate ours{"localhost"};
  auto config = ours.config();
  config.header_timeout = std::chrono::milliseconds{100};
  auto server = serve(config, echo);
  http_client silent{server->port()};
  BOOST_TEST(silent.is_closed());
  http_client plain{server->port()};
  plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  BOOST_TEST(plain.read_answer().status == 0);
}

BOOST_AUTO_TEST_CASE(draining_closes_tls_connections_too) {
  certificate ours{"localhost"};
  auto server = serve(ours.config(), echo);
  tls_client client{server->port(), ours.certificate_file};
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  client.read_to("/  ");
  draining stop{*server};
  client.end();
  client.close();
  BOOST_TEST(stop.result());
}

BOOST_AUTO_TEST_CASE(a_certificate_that_cannot_be_used_is_named) {
  certificate ours{"localhost"};
  certificate other{"localhost"};
  auto wrong = [&](std::string certificate_file, std::string key_file) {
    http::server_config config;
    config.certificate_file = std::move(certificate_file);
    config.key_file = std::move(key_file);
    auto made = http::server::start(config, echo);
    BOOST_REQUIRE(!made);
    return field_of(made.error());
  };
  BOOST_TEST(wrong(ours.dir.file("no", "no"), ours.key_file) == "http.certificate_file");
  BOOST_TEST(wrong("nowhere.pem", ours.key_file) == "http.certificate_file");
  BOOST_TEST(wrong(ours.certificate_file, "nowhere.pem") == "http.key_file");
  BOOST_TEST(wrong(ours.certificate_file, other.key_file) == "http.key_file");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(local)

BOOST_AUTO_TEST_CASE(a_local_socket_is_for_its_owner_alone) {
  temp_dir dir;
  http::server_config config;
  config.socket_path = (dir.path() / "http.sock").string();
  awaited<std::string> peer;
  auto server = serve(config, [&](auto request, auto back) {
    peer.set(request.peer);
    echo(std::move(request), back);
  });
  struct stat found {};
  BOOST_TEST(::stat(config.socket_path.c_str(), &found) == 0);
  BOOST_TEST((found.st_mode & 0777) == 0600u);
  http_client client{config.socket_path};
  BOOST_TEST(client.get("/a").body == "GET /a  ");
  BOOST_TEST(peer.get() == "local");
  BOOST_TEST(server->port() == 0u);
  auto second = http::server::start(config, echo); // the socket is in use
  BOOST_REQUIRE(!second);
  BOOST_TEST(field_of(second.error()) == "http.socket_path");
  server.reset();
  BOOST_TEST(!std::filesystem::exists(config.socket_path));
}

BOOST_AUTO_TEST_CASE(a_socket_that_was_left_behind_is_in_nobodys_way) {
  temp_dir dir;
  http::server_config config;
  config.socket_path = (dir.path() / "http.sock").string();
  {
    asio::io_context io;
    asio::local::stream_protocol::acceptor left{io, {config.socket_path}};
  }
  BOOST_TEST(std::filesystem::exists(config.socket_path));
  auto server = serve(config, echo);
  BOOST_TEST(http_client{config.socket_path}.get("/").status == 200);
  server.reset();
  dir.file("http.sock", "a file of somebody's");
  BOOST_TEST(!http::server::start(config, echo));
  BOOST_TEST(dir.read("http.sock") == "a file of somebody's");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
