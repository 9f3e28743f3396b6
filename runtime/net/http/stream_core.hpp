#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"
#include "scratchpage/runtime/net/http/stream_places.hpp"

namespace scratchpage::http {

class worker;

/// What stands between those who write to a stream, on any thread, and the connection
/// that carries it, on its worker's. Callbacks are made on the worker's thread, never
/// from within the call that brings them, and never with a lock held; once the worker
/// has ended, by whoever asks.
class stream_core : public std::enable_shared_from_this<stream_core> {
public:
  stream_core(std::shared_ptr<worker> home, stream_places::place in, size_t max_waiting,
    at_drain then, std::shared_ptr<answer_budget> held);

  // For the writer:

  void write(std::string piece, std::function<void(bool)> then);
  void close();
  void cut_off();
  void on_end(std::function<void()> then);
  void on_message(std::function<void(std::string)> then);

  // For the carrier:

  /// `wake` is called on the worker's thread when there is something to do.
  void attach(std::function<void()> wake);

  enum class want {
    nothing, ///< until it is woken
    piece,   ///< to be sent; `sent` when it is
    close,   ///< all is sent
    abandon, ///< too much is waiting, or nobody may hear more
  };
  want next(std::string& piece);
  /// Whether nothing of it may be sent any more, not even what has begun.
  bool is_abandoned() const;
  void sent();

  /// Hands a message over; false if nobody has asked for them yet: it is kept then, and
  /// the next one should wait until `takes_messages`.
  bool deliver(std::string message);
  bool takes_messages() const;

  /// The server is about to stop.
  void drain();

  /// It has ended: what waits never will be sent. Once is enough.
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
  stream_places::place in_;
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

/// A writer's hold on a stream: let go of, the stream closes after what was written.
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

} // namespace scratchpage::http
