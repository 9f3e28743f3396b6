#include "scratchpage/runtime/net/http/transport.hpp"

#include <algorithm>
#include <chrono>

#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "scratchpage/runtime/net/http/service.hpp"
#include "scratchpage/runtime/net/http/stream_core.hpp"
#include "scratchpage/runtime/net/http/worker.hpp"

namespace scratchpage::http {

namespace {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using error_code = boost::system::error_code;

/// A connection that has become a WebSocket. It runs on its worker's thread.
template <class Stream>
class websocket_session final : public session,
                                public std::enable_shared_from_this<websocket_session<Stream>> {
public:
  websocket_session(Stream over, websocket_setup setup)
    : home_{std::move(setup.home)},
      service_{std::move(setup.service)},
      socket_{std::move(over)},
      in_{std::move(setup.in)},
      peer_{std::move(setup.peer)},
      key_{std::move(setup.key)},
      core_{std::move(setup.core)},
      write_{service_->config} {}

  void start() {
    using std::chrono::duration_cast;
    const auto& limits = service_->config;
    using duration = websocket::stream_base::duration;
    socket_.set_option(
      websocket::stream_base::timeout{duration_cast<duration>(limits.header_timeout),
        duration_cast<duration>(limits.idle_timeout), true});
    socket_.set_option(websocket::stream_base::decorator{
      [](websocket::response_type& x) { x.erase(beast::http::field::server); }});
    socket_.read_message_max(std::max<uint64_t>(limits.max_body_bytes, 1)); // 0 would mean no limit
    socket_.text(true);
    socket_.auto_fragment(false); // each piece is one message in one frame
    socket_.control_callback([this](websocket::frame_type kind, beast::string_view) {
      if (kind == websocket::frame_type::close)
        on_goodbye();
    });
    home_->add(this->shared_from_this());
    if (closed_)
      return;
    in_.is(stay::unproven);
    in_.on_evicted([home = home_, me = this->weak_from_this()] {
      home->post([me] {
        if (auto self = me.lock())
          self->end();
      });
    });
    write_.begin();
    socket_.async_accept(
      handshake(), [self = this->shared_from_this()](error_code ec) { self->on_accepted(ec); });
  }

  void on_tick(steady_time now) override {
    if (write_.is_over(now))
      return end();
    if (write_.stalls(now))
      in_.is(stay::stalled);
    if (now >= message_deadline_)
      return close(websocket::close_code::policy_error);
    if (now >= paused_until_)
      read_if_admitted();
  }

  void on_drain() override { core_->close(); }

  void cut_off() override { end(); }

private:
  /// The handshake that the connection has read and checked, for Beast to answer.
  beast::http::request<beast::http::empty_body> handshake() const {
    using beast::http::field;
    beast::http::request<beast::http::empty_body> result{beast::http::verb::get, "/", 11};
    result.set(field::host, "x");
    result.set(field::upgrade, "websocket");
    result.set(field::connection, "upgrade");
    result.set(field::sec_websocket_key, key_);
    result.set(field::sec_websocket_version, "13");
    return result;
  }

  void on_accepted(error_code ec) {
    if (write_.end())
      in_.is(stay::unproven);
    if (closed_)
      return;
    if (ec)
      return end();
    core_->attach([self = this->shared_from_this()] { self->on_woken(); });
    if (service_->draining)
      core_->close();
    read();
  }

  void on_woken() {
    pump();
    read();
  }

  // -- reading

  void read() {
    if (reading_ || closing_ || closed_ || paused_until_ != never || !core_->takes_messages())
      return;
    reading_ = true;
    socket_.async_read_some(bytes_, max_at_once,
      [self = this->shared_from_this()](error_code ec, size_t) { self->on_read(ec); });
  }

  void on_read(error_code ec) {
    reading_ = false;
    if (closed_)
      return;
    if (ec)
      return end();
    if (closing_)
      return drop_message();
    if (!socket_.got_text())
      return close(websocket::close_code::unknown_data);
    if (!socket_.is_message_done())
      return read_on();
    give_message_back();
    in_.is(stay::at_work);
    auto message = beast::buffers_to_string(bytes_.data());
    bytes_.consume(bytes_.size());
    if (bytes_.capacity() > kept_capacity)
      bytes_.shrink_to_fit();
    core_->deliver(std::move(message));
    read_if_admitted();
  }

  /// Reads on when only a part of a message has arrived. Messages have the limits of bodies.
  void read_on() {
    if (message_deadline_ == never) {
      message_deadline_ = steady_after(service_->config.body_timeout);
      in_.is(stay::begun);
    }
    if (!has_room_for_message())
      return close(websocket::close_code::try_again_later);
    read();
  }

  /// False if the budget for bodies and messages of all connections is used up.
  bool has_room_for_message() {
    auto bytes = std::min<uint64_t>(bytes_.capacity(), service_->config.max_body_bytes);
    if (bytes <= message_bytes_)
      return true;
    if (!service_->bodies.take(bytes - message_bytes_))
      return false;
    message_bytes_ = bytes;
    return true;
  }

  void drop_message() {
    bytes_.clear();
    bytes_.shrink_to_fit();
    give_message_back();
  }

  void give_message_back() {
    service_->bodies.give(std::exchange(message_bytes_, 0));
    message_deadline_ = never;
  }

  /// A message counts as a request: if the peer sends too many, the next one is read later.
  void read_if_admitted() {
    auto wait = service_->admit(peer_);
    paused_until_ = wait ? steady_after(std::chrono::milliseconds{100}) : never;
    read();
  }

  // -- writing

  void pump() {
    if (!closed_ && core_->is_abandoned())
      return end(); // drops what the client has not read yet
    if (writing_ || closing_ || closed_)
      return;
    switch (core_->next(piece_)) {
    case stream_core::want::nothing:
      return;
    case stream_core::want::abandon:
      return end();
    case stream_core::want::close:
      return close(
        service_->draining ? websocket::close_code::going_away : websocket::close_code::normal);
    case stream_core::want::piece:
      writing_ = true;
      write_.begin();
      socket_.async_write(asio::buffer(piece_),
        [self = this->shared_from_this()](error_code ec, size_t) { self->on_written(ec); });
    }
  }

  void on_written(error_code ec) {
    writing_ = false;
    if (write_.end())
      in_.is(stay::at_work);
    if (closed_)
      return;
    if (ec)
      return end();
    core_->sent();
    pump();
  }

  // -- ending

  /// Sends a close frame and waits for the answer for `linger_time`.
  void close(websocket::close_code why) {
    if (std::exchange(closing_, true))
      return;
    message_deadline_ = never;
    if (!reading_)
      drop_message();
    on_goodbye();
    socket_.async_close(why, [self = this->shared_from_this()](error_code) { self->end(); });
  }

  /// A close frame was sent or received. The stream ends now, the connection when the client closes
  /// it.
  void on_goodbye() {
    core_->end();
    write_.hurry(linger_time);
  }

  void end() {
    if (std::exchange(closed_, true))
      return;
    auto self = this->shared_from_this();
    error_code ignored;
    beast::get_lowest_layer(socket_).close(ignored);
    core_->end();
    give_message_back();
    home_->remove(this);
    in_.release();
  }

  static constexpr size_t kept_capacity = 16'384;
  static constexpr size_t max_at_once = 65'536;

  std::shared_ptr<worker> home_; // destroyed last, since the socket uses it
  std::shared_ptr<http::service> service_;
  websocket::stream<Stream> socket_;
  guest_book::guest in_;
  std::string peer_; ///< see `peer_key`
  std::string key_;
  std::shared_ptr<stream_core> core_;
  beast::flat_buffer bytes_;
  std::string piece_;
  write_watch write_;
  steady_time paused_until_ = never;
  steady_time message_deadline_ = never; ///< of an incomplete message
  uint64_t message_bytes_ = 0;           ///< taken from the budget for bodies
  bool reading_ = false;
  bool writing_ = false;
  bool closing_ = false;
  bool closed_ = false;
};

template <class Stream>
void start(Stream over, websocket_setup setup) {
  std::make_shared<websocket_session<Stream>>(std::move(over), std::move(setup))->start();
}

} // namespace

void start_websocket(socket over, websocket_setup setup) {
  start(std::move(over), std::move(setup));
}

void start_websocket(tls_stream over, websocket_setup setup) {
  start(std::move(over), std::move(setup));
}

} // namespace scratchpage::http
