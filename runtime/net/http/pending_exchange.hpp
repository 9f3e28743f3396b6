#pragma once

#include <atomic>
#include <memory>

#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/stream_places.hpp"

namespace scratchpage::http {

class connection;
class stream_core;

/// One request's way back to its connection.
class pending_exchange final : public exchange {
public:
  pending_exchange(
    std::shared_ptr<connection> to, uint64_t number, bool asks_websocket, stream_caller who);
  pending_exchange(const pending_exchange&) = delete;
  pending_exchange& operator=(const pending_exchange&) = delete;
  ~pending_exchange() override;

  void respond(response answer) override;
  std::shared_ptr<stream> begin_stream(response head, at_drain then) override;
  std::shared_ptr<stream> accept_websocket() override;
  void on_gone(std::function<void()> then) override;

private:
  template <class F>
  bool run(F f);
  void send(response answer);
  stream_places::place enter();
  template <class F>
  std::shared_ptr<stream> open(at_drain then, F begin);

  std::shared_ptr<connection> to_;
  uint64_t number_;
  bool asks_websocket_;
  stream_caller who_;
  std::atomic<bool> answered_{false};
};

} // namespace scratchpage::http
