#include <boost/asio/ip/tcp.hpp>

#include <netinet/tcp.h>

#include "scratchpage/runtime/net/http/accept_loop.hpp"

namespace scratchpage::http {

namespace {

using asio::ip::tcp;

/// A machine that is gone without a word is noticed after two minutes.
void set_up(asio::basic_stream_socket<tcp, asio::io_context::executor_type>& x) {
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
    set_up(x);
    boost::system::error_code gone;
    auto from = x.remote_endpoint(gone);
    auto to = gone ? tcp::endpoint{} : x.local_endpoint(gone);
    return gone ? ends{} : ends{text_of(from.address()), text_of(to.address())};
  }

  uint16_t port_;
};

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

} // namespace scratchpage::http
