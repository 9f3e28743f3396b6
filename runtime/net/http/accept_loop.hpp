#pragma once

#include <string>
#include <utility>

#include <boost/asio/basic_socket_acceptor.hpp>

#include "scratchpage/runtime/net/http/connection.hpp"
#include "scratchpage/runtime/net/http/listener.hpp"

namespace scratchpage::http {

/// What both kinds of listeners have in common.
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
  /// Sets up a connection and says who it is from and whom they called.
  virtual ends ends_of(accepted& x) = 0;

  virtual void on_close() {}

  acceptor& listening() { return acceptor_; }

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

  /// There may be no file descriptor left.
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
    place refused;
    if (!is_admitted && !setup_.tls) // a handshake would cost more than it says
      refused = place{service->refusals};
    if (!is_admitted && !refused)
      return;
    auto wire =
      setup_.tls ? tls_wire(socket{std::move(x)}, *setup_.tls) : plain_wire(socket{std::move(x)});
    auto made = std::make_shared<connection>(connection_setup{
      to, service, std::move(wire), std::move(in), std::move(refused), std::move(of)});
    made->may_be_shown_out();
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

} // namespace scratchpage::http
