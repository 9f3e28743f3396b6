#pragma once

#include <array>
#include <memory>
#include <string>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/admission.hpp"

namespace scratchpage::http {

namespace asio = boost::asio;

class session;
class stream_core;
class worker;
struct service;

/// A connected socket, TCP or local.
using socket =
  asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;

using tls_stream = asio::ssl::stream<socket>;

/// The addresses of the two ends of a connection, without ports.
struct ends {
  std::string peer;  ///< of the client; "local" for a local socket
  std::string local; ///< of the server; "" for a local socket
};

/// What a WebSocket takes over from its HTTP connection.
struct websocket_setup {
  std::shared_ptr<worker> home;
  std::shared_ptr<http::service> service;
  guest_book::guest in;
  std::string peer; ///< see `peer_key`
  std::string key;  ///< `Sec-WebSocket-Key` of the handshake
  std::shared_ptr<stream_core> core;
};

/// Reads and writes the bytes of one connection, with TLS or without. There is at most one read and
/// one write at a time; each completes later, on the connection's thread.
class transport {
public:
  class owner {
  public:
    virtual ~owner() = default;
    virtual void on_open(bool ok) = 0;
    virtual void on_read(size_t bytes) = 0;    ///< 0: the connection has ended
    virtual void on_written(size_t bytes) = 0; ///< 0: the write has failed
  };

  virtual ~transport() = default;

  /// Makes the TLS handshake; without TLS, completes at once.
  virtual void open(std::shared_ptr<owner> by) = 0;

  virtual void read(asio::mutable_buffer to, std::shared_ptr<owner> by) = 0;
  virtual void write(const std::array<asio::const_buffer, 2>& from, std::shared_ptr<owner> by) = 0;

  /// Tells the client that nothing more is sent.
  virtual void finish(std::shared_ptr<owner> by) = 0;

  /// Ends at once; a read or write in progress completes with 0.
  virtual void close() = 0;

  virtual bool is_secure() const = 0;

  /// Continues as a WebSocket. No read or write may be in progress.
  virtual void become_websocket(websocket_setup setup) = 0;
};

std::unique_ptr<transport> plain_transport(socket x);
std::unique_ptr<transport> tls_transport(socket x, asio::ssl::context& context);

/// Answers a WebSocket handshake (RFC 6455) and carries the setup's stream from then on: text
/// messages only, without compression, of at most `max_body_bytes`. Pings keep it alive.
void start_websocket(socket over, websocket_setup setup);
void start_websocket(tls_stream over, websocket_setup setup);

/// A context for TLS 1.2 or later; both files are PEM. Errors name the field of the server's
/// configuration.
caf::expected<std::shared_ptr<boost::asio::ssl::context>> make_tls_context(
  const std::string& certificate_file, const std::string& key_file);

} // namespace scratchpage::http
