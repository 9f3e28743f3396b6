#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::test {

/// A stream that stores what is written. Another thread can wait for it.
class kept_stream : public http::stream {
public:
  void write(std::string piece, std::function<void(bool)> then) override {
    {
      std::lock_guard lock{guard_};
      written_ += piece + "\n";
      changed_.notify_all();
    }
    then(true);
  }

  /// Drops all callbacks, as a connection does that ends.
  void close() override {
    std::vector<std::function<void()>> all;
    std::function<void(std::string)> taker;
    {
      std::lock_guard lock{guard_};
      is_closed_ = true;
      all.swap(at_end_);
      taker.swap(take_);
      changed_.notify_all();
    }
    for (const auto& one : all)
      one();
  }

  void on_end(std::function<void()> then) override {
    std::lock_guard lock{guard_};
    at_end_.push_back(std::move(then));
  }

  void on_message(std::function<void(std::string)> then) override {
    std::lock_guard lock{guard_};
    take_ = std::move(then);
    changed_.notify_all();
  }

  /// Sends a message as the client.
  void send(std::string text) {
    std::unique_lock lock{guard_};
    changed_.wait_for(lock, patience, [this] { return bool{take_}; });
    auto take = take_;
    lock.unlock();
    take(std::move(text));
  }

  /// Waits for that text, after the last one that was found. False if it does not come in time.
  bool await(const std::string& text) {
    std::unique_lock lock{guard_};
    return changed_.wait_for(lock, patience, [&] {
      auto at = written_.find(text, seen_);
      if (at != std::string::npos)
        seen_ = at + text.size();
      return at != std::string::npos;
    });
  }

  /// Waits for a piece with that text, after the last text that was found. "" if none comes in
  /// time.
  std::string await_piece(const std::string& text) {
    if (!await(text))
      return {};
    std::lock_guard lock{guard_};
    auto begin = written_.rfind('\n', seen_) + 1;
    return written_.substr(begin, written_.find('\n', seen_) - begin);
  }

  /// Number of callbacks that wait for the end.
  size_t callbacks() {
    std::lock_guard lock{guard_};
    return at_end_.size();
  }

  bool await_end() {
    std::unique_lock lock{guard_};
    return changed_.wait_for(lock, patience, [this] { return is_closed_; });
  }

private:
  static constexpr auto patience = std::chrono::seconds{20};

  std::mutex guard_;
  std::condition_variable changed_;
  std::string written_;
  size_t seen_ = 0;
  bool is_closed_ = false;
  std::vector<std::function<void()>> at_end_;
  std::function<void(std::string)> take_;
};

/// The same stream for a test, which closes it when it releases it.
inline std::shared_ptr<kept_stream> closed_when_released(std::shared_ptr<kept_stream> x) {
  auto* stream = x.get();
  return {stream, [x = std::move(x)](kept_stream* it) { it->close(); }};
}

/// An exchange that may become a stream or a WebSocket.
class kept_exchange : public http::exchange {
public:
  explicit kept_exchange(bool is_websocket = false)
    : is_websocket_{is_websocket} {}

  void respond(http::response answer) override { keep(std::move(answer)); }

  std::shared_ptr<http::stream> begin_stream(http::response head, http::at_drain) override {
    keep(std::move(head));
    return stream;
  }

  std::shared_ptr<http::stream> accept_websocket() override {
    if (!is_websocket_)
      return nullptr;
    keep({101, {}, {}});
    return stream;
  }

  void on_gone(std::function<void()>) override {}

  /// Waits for the answer, or the head of the stream.
  std::optional<http::response> get() {
    std::unique_lock lock{guard_};
    changed_.wait_for(lock, std::chrono::seconds{20}, [this] { return answer_.has_value(); });
    return answer_;
  }

  std::shared_ptr<kept_stream> stream = std::make_shared<kept_stream>();

private:
  void keep(http::response x) {
    std::lock_guard lock{guard_};
    answer_ = std::move(x);
    changed_.notify_all();
  }

  bool is_websocket_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::optional<http::response> answer_;
};

} // namespace scratchpage::test
