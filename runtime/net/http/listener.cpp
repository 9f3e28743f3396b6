#include "scratchpage/runtime/net/http/listener.hpp"

#include <string>
#include <utility>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <netinet/tcp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/messages/error.hpp"

namespace scratchpage::http {

namespace {

/// What the listeners of both kinds of sockets have in common.
template <class Protocol>
class accept_loop : public listener, public std::enable_shared_from_this<accept_loop<Protocol>> {
public:
  using acceptor = asio::basic_socket_acceptor<Protocol, asio::io_context::executor_type>;
  using accepted = asio::basic_stream_socket<Protocol, asio::io_context::executor_type>;

  accept_loop(listener_setup setup, acceptor listening)
    : setup_{std::move(setup)},
      acceptor_{std::move(listening)} {}

  void start() override {
    setup_.workers.front()->post([self = this->shared_from_this()] { self->accept(); });
  }

  void stop() override {
    setup_.workers.front()->post([self = this->shared_from_this()] { self->close(); });
  }

protected:
  /// Sets the options of an accepted socket and gives its two addresses.
  virtual ends ends_of(accepted& x) = 0;

  virtual void on_close() {}

private:
  void accept() {
    auto& to = setup_.workers[next_++ % setup_.workers.size()];
    auto done = [self = this->shared_from_this(), to](
                  const boost::system::error_code& ec, accepted x) mutable {
      if (!self->acceptor_.is_open())
        return;
      if (ec)
        return self->try_later();
      self->hand_over(std::move(x), to);
      self->accept();
    };
    acceptor_.async_accept(to->io(), std::move(done));
  }

  /// Accepting fails, for example, when no file descriptor is left.
  void try_later() {
    pause_.expires_after(std::chrono::milliseconds{50});
    pause_.async_wait([self = this->shared_from_this()](const boost::system::error_code& ec) {
      if (!ec && self->acceptor_.is_open())
        self->accept();
    });
  }

  void hand_over(accepted x, const std::shared_ptr<worker>& to) {
    const auto& service = setup_.service;
    auto of = ends_of(x);
    auto in = service->connections.enter(peer_key(of.peer), is_in_reserve(x.native_handle()));
    auto is_admitted = static_cast<bool>(in);
    permit refused;
    if (!is_admitted && !setup_.tls) // a TLS handshake costs more than the refusal is worth
      refused = permit{service->refusals};
    if (!is_admitted && !refused)
      return;
    auto over = setup_.tls ? tls_transport(socket{std::move(x)}, *setup_.tls)
                           : plain_transport(socket{std::move(x)});
    auto made = std::make_shared<connection>(connection_setup{
      to, service, std::move(over), std::move(in), std::move(refused), std::move(of)});
    made->may_be_evicted();
    to->post([made = std::move(made), is_admitted] {
      if (is_admitted)
        made->start();
      else
        made->start_refused(overloaded("expected fewer connections at a time"));
    });
  }

  void close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    on_close();
  }

  listener_setup setup_;
  acceptor acceptor_;
  asio::steady_timer pause_{setup_.workers.front()->io()};
  size_t next_ = 0;
};

// -- TCP ---------------------------------------------------------------------------------

using asio::ip::tcp;

/// The keep-alive probes find a peer that has vanished after two minutes.
void set_options(asio::basic_stream_socket<tcp, asio::io_context::executor_type>& x) {
  boost::system::error_code ignored;
  x.set_option(tcp::no_delay{true}, ignored);
  x.set_option(asio::socket_base::keep_alive{true}, ignored);
  struct {
    int name;
    int value;
  } options[] = {{TCP_KEEPIDLE, 60}, {TCP_KEEPINTVL, 15}, {TCP_KEEPCNT, 4}};
  for (const auto& option : options)
    ::setsockopt(x.native_handle(), IPPROTO_TCP, option.name, &option.value, sizeof(int));
}

std::string text_of(const asio::ip::address& x) {
  if (x.is_v6() && x.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, x.to_v6()).to_string();
  return x.to_string();
}

class tcp_listener final : public accept_loop<tcp> {
public:
  tcp_listener(listener_setup setup, acceptor listening, uint16_t port)
    : accept_loop{std::move(setup), std::move(listening)},
      port_{port} {}

  uint16_t port() const override { return port_; }

private:
  ends ends_of(accepted& x) override {
    set_options(x);
    boost::system::error_code gone;
    auto from = x.remote_endpoint(gone);
    auto to = gone ? tcp::endpoint{} : x.local_endpoint(gone);
    return gone ? ends{} : ends{text_of(from.address()), text_of(to.address())};
  }

  uint16_t port_;
};

// -- local sockets -----------------------------------------------------------------------

using asio::local::stream_protocol;

class local_listener final : public accept_loop<stream_protocol> {
public:
  local_listener(listener_setup setup, acceptor listening, std::string path)
    : accept_loop{std::move(setup), std::move(listening)},
      path_{std::move(path)} {}

  uint16_t port() const override { return 0; }

private:
  ends ends_of(accepted&) override { return {"local", {}}; }

  void on_close() override { ::unlink(path_.c_str()); }

  std::string path_;
};

/// Removes a socket file that an ended process has left behind, but not one that is in use.
void remove_left_behind(asio::io_context& io, const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode))
    return;
  stream_protocol::socket probe{io};
  boost::system::error_code ec;
  probe.connect({path}, ec);
  if (ec == boost::system::errc::connection_refused)
    ::unlink(path.c_str());
}

} // namespace

caf::expected<std::shared_ptr<listener>> listen_to_address(const listener_setup& setup) {
  const auto& config = setup.service->config;
  boost::system::error_code ec;
  auto address = asio::ip::make_address(config.address, ec);
  if (ec)
    return fail(errc::invalid_request, "http.address", "expected an IPv4 or IPv6 address");
  tcp::endpoint at{address, config.port};
  tcp_listener::acceptor listening{setup.workers.front()->io()};
  listening.open(at.protocol(), ec);
  if (!ec)
    listening.set_option(asio::socket_base::reuse_address{true}, ec);
  if (!ec)
    listening.bind(at, ec);
  if (!ec)
    listening.listen(asio::socket_base::max_listen_connections, ec);
  if (ec)
    return fail(errc::invalid_request, "http.port",
      "expected an address to listen on, not " + config.address + ":" + std::to_string(config.port)
        + ": " + ec.message());
  auto port = listening.local_endpoint(ec).port();
  return std::make_shared<tcp_listener>(setup, std::move(listening), port);
}

caf::expected<std::shared_ptr<listener>> listen_to_local_socket(const listener_setup& setup) {
  const auto& path = setup.service->config.socket_path;
  auto& io = setup.workers.front()->io();
  remove_left_behind(io, path);
  local_listener::acceptor listening{io};
  boost::system::error_code ec;
  listening.open(stream_protocol{}, ec);
  // The mode is set before the socket has a name, so that other users can never connect.
  if (!ec && ::fchmod(listening.native_handle(), S_IRUSR | S_IWUSR) != 0)
    ec = {errno, boost::system::system_category()};
  if (!ec)
    listening.bind({path}, ec);
  if (!ec)
    listening.listen(asio::socket_base::max_listen_connections, ec);
  if (ec)
    return fail(errc::invalid_request, "http.socket_path",
      "expected a path for a socket, not " + path + ": " + ec.message());
  return std::make_shared<local_listener>(setup, std::move(listening), path);
}

} // namespace scratchpage::http
