#pragma once

#include <array>
#include <memory>
#include <string>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>

#include "scratchpage/runtime/net/http/guest_book.hpp"

namespace scratchpage::http {

namespace asio = boost::asio;

class session;
class stream_core;
class worker;
struct service;

/// A connected socket, over TCP or local.
using socket =
  asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;

/// Where a connection comes from and where it ends: addresses without their ports.
struct ends {
  std::string peer;  ///< "local" of a local socket
  std::string local; ///< "" of a local socket
};

/// What a WebSocket takes over from the connection that it was.
struct websocket_setup {
  std::shared_ptr<worker> home;
  std::shared_ptr<http::service> service;
  guest_book::guest in;
  std::string peer;
  std::string key; ///< the handshake's, which its answer proves to have read
  std::shared_ptr<stream_core> core;
};

/// The bytes of one connection, with TLS or without: one read and one write at a time,
/// each of which completes later, on the connection's thread.
class wire {
public:
  class owner {
  public:
    virtual ~owner() = default;
    virtual void on_open(bool ok) = 0;
    virtual void on_read(size_t bytes) = 0;    ///< 0: it has ended
    virtual void on_written(size_t bytes) = 0; ///< 0: it has failed
  };

  virtual ~wire() = default;

  /// Shakes hands, if that is what it does.
  virtual void open(std::shared_ptr<owner> by) = 0;

  virtual void read(asio::mutable_buffer to, std::shared_ptr<owner> by) = 0;
  virtual void write(const std::array<asio::const_buffer, 2>& from, std::shared_ptr<owner> by) = 0;

  /// Tells the other side that no more comes.
  virtual void finish(std::shared_ptr<owner> by) = 0;

  /// Ends at once; what is under way completes with 0.
  virtual void close() = 0;

  virtual bool is_secure() const = 0;

  /// Goes on as a WebSocket; nothing may be under way.
  virtual void become_websocket(websocket_setup setup) = 0;
};

std::unique_ptr<wire> plain_wire(socket x);
std::unique_ptr<wire> tls_wire(socket x, asio::ssl::context& context);

} // namespace scratchpage::http
