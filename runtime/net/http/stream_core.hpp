#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/runtime/net/http/admission.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::http {

class worker;

/// Connects the writers of a stream, on any thread, with the connection that carries it, on its
/// worker's thread. Callbacks are called on the worker's thread, never from within the call that
/// passes them, and never with a lock held. When the worker has ended, they are called on the
/// caller's thread.
class stream_core : public std::enable_shared_from_this<stream_core> {
public:
  stream_core(std::shared_ptr<worker> home, stream_limit::permit in, size_t max_waiting,
    at_drain then, std::shared_ptr<answer_budget> held);

  // For the writers; see `stream`:

  void write(std::string piece, std::function<void(bool)> then);
  void close();
  void cut_off();
  void on_end(std::function<void()> then);
  void on_message(std::function<void(std::string)> then);

  // For the connection:

  /// `wake` is called on the worker's thread when there is something to do.
  void attach(std::function<void()> wake);

  enum class want {
    nothing, ///< until `wake` is called
    piece,   ///< send this piece, then call `sent`
    close,   ///< all pieces are sent
    abandon, ///< end at once: too much waits, or the client has lost its access
  };
  want next(std::string& piece);
  /// Whether nothing may be sent any more, not even the rest of a piece.
  bool is_abandoned() const;
  void sent();

  /// Passes a message to `on_message`. False if there is no such callback yet: the message is kept
  /// then, and the next one has to wait until `takes_messages`.
  bool deliver(std::string message);
  bool takes_messages() const;

  /// The server is about to stop.
  void drain();

  /// The connection has ended: pieces that wait will not be sent. May be called more than once.
  void end();

private:
  struct piece {
    std::string text;
    std::function<void(bool)> then;
    held_bytes held;
  };

  void wake(std::unique_lock<std::mutex>& lock);
  void later(const std::function<void()>& task);
  void woken();

  std::shared_ptr<worker> home_;
  size_t max_waiting_;
  at_drain at_drain_;
  std::shared_ptr<answer_budget> held_;
  mutable std::mutex mutex_;
  stream_limit::permit in_;
  std::function<void()> wake_;
  bool is_waking_ = false;
  std::deque<piece> waiting_;
  size_t waiting_bytes_ = 0;
  std::optional<piece> under_way_;
  bool closing_ = false;
  bool abandoned_ = false;
  bool ended_ = false;
  std::vector<std::function<void()>> at_end_;
  std::function<void(std::string)> on_message_;
  std::optional<std::string> kept_message_;
};

/// A writer's handle of a stream. When it is destroyed, the stream closes after the pieces that
/// were written.
class stream_handle final : public stream {
public:
  explicit stream_handle(std::shared_ptr<stream_core> core)
    : core_{std::move(core)} {}
  stream_handle(const stream_handle&) = delete;
  stream_handle& operator=(const stream_handle&) = delete;
  ~stream_handle() override { core_->close(); }

  void write(std::string piece, std::function<void(bool)> then) override {
    core_->write(std::move(piece), std::move(then));
  }
  void close() override { core_->close(); }
  void cut_off() override { core_->cut_off(); }
  void on_end(std::function<void()> then) override { core_->on_end(std::move(then)); }
  void on_message(std::function<void(std::string)> then) override {
    core_->on_message(std::move(then));
  }

private:
  std::shared_ptr<stream_core> core_;
};

class connection;

/// Answers one request on its connection.
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
  stream_limit::permit enter();
  template <class F>
  std::shared_ptr<stream> open(at_drain then, F begin);

  std::shared_ptr<connection> to_;
  uint64_t number_;
  bool asks_websocket_;
  stream_caller who_;
  std::atomic<bool> answered_{false};
};

} // namespace scratchpage::http
