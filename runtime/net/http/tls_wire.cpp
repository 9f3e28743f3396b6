#include <boost/asio/ssl/stream.hpp>

#include "scratchpage/runtime/net/http/stream_wire.hpp"
#include "scratchpage/runtime/net/http/websocket.hpp"

namespace scratchpage::http {

namespace {

class tls final : public stream_wire<tls_stream> {
public:
  using stream_wire::stream_wire;

  void open(std::shared_ptr<owner> by) override {
    stream_.async_handshake(tls_stream::server,
      [by = std::move(by)](const boost::system::error_code& ec) { by->on_open(!ec); });
  }

  void finish(std::shared_ptr<owner> by) override {
    // The other side's farewell comes as the end of what is read.
    stream_.async_shutdown([by = std::move(by)](const boost::system::error_code&) {});
  }

  bool is_secure() const override { return true; }

  void become_websocket(websocket_setup setup) override {
    start_websocket(std::move(stream_), std::move(setup));
  }
};

} // namespace

std::unique_ptr<wire> tls_wire(socket x, asio::ssl::context& context) {
  return std::make_unique<tls>(tls_stream{std::move(x), context});
}

} // namespace scratchpage::http
