#include "scratchpage/runtime/net/http/stream_wire.hpp"
#include "scratchpage/runtime/net/http/websocket.hpp"

namespace scratchpage::http {

namespace {

class plain final : public stream_wire<socket> {
public:
  using stream_wire::stream_wire;

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

} // namespace

std::unique_ptr<wire> plain_wire(socket x) {
  return std::make_unique<plain>(std::move(x));
}

} // namespace scratchpage::http
