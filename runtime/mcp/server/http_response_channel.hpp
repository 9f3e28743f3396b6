#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/session.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::mcp {

/// Sends messages as server-sent events in the response to one request. Used on the strand. If a
/// client does not read, its whole stream is closed; no message in between is dropped.
class event_stream : public std::enable_shared_from_this<event_stream> {
public:
  static constexpr size_t max_waiting_bytes = size_t{4} << 20;
  static constexpr timespan pause_between_comments = std::chrono::seconds{15};

  /// Sends the head of the response at once. `then` says whether the stream ends by itself, for a
  /// server that is ending.
  static std::shared_ptr<event_stream> begin(std::shared_ptr<strand> on, http::exchange& by,
    http::at_drain then, std::function<void()> on_end);

  void send(const json::object& message);
  void send(std::string_view message); ///< as JSON

  /// Ends the stream after the messages that were sent.
  void close();

  bool is_open() const { return !closing_; }

private:
  void put(std::string piece);
  void write_next();
  void keep_alive();

  std::shared_ptr<strand> on_;
  std::shared_ptr<http::stream> to_;
  std::deque<std::string> waiting_; // the first one is being written
  size_t waiting_bytes_ = 0;
  bool wrote_ = true; // since the last comment was due
  bool closing_ = false;
};

/// A response with this JSON as its body.
http::response json_response(uint32_t status, const json::object& body);
http::response json_response(uint32_t status, std::string body);

/// The channel of one POST. Responds with the answer alone if no message comes before it, else with
/// a stream of events. Used on the strand.
class http_response_channel : public response_channel,
                              public std::enable_shared_from_this<http_response_channel> {
public:
  /// `session_id` is sent with a result; "": none.
  http_response_channel(std::shared_ptr<strand> on, std::shared_ptr<http::exchange> by,
    protocol_generation spoken, std::string session_id = {});

  /// Opens the stream if there is no answer after `delay`, so that no proxy takes the request for
  /// lost.
  void stream_after(timespan delay);

  void send(const json::object& message) override;
  void finish(const json::object& answer) override;
  void finish(std::string answer) override;
  void end() override;
  /// Call it before anything is sent.
  void stay_open() override { at_drain_ = http::at_drain::end; }
  /// A modern client cancels by disconnecting; a legacy one may only have lost its connection, so
  /// `then` is not called.
  void on_gone(std::function<void()> then) override;

private:
  void open();
  void gone();
  bool finish_stream(std::string_view answer);
  void respond(http::response x, bool has_result);

  std::shared_ptr<strand> on_;
  std::shared_ptr<http::exchange> by_;
  protocol_generation spoken_;
  std::string session_id_;
  std::shared_ptr<event_stream> events_;
  http::at_drain at_drain_ = http::at_drain::wait;
  std::function<void()> when_gone_;
  bool over_ = false;
};

/// The channel for messages that belong to no request, on the stream that a session's GET has
/// opened.
class stream_response_channel : public response_channel {
public:
  explicit stream_response_channel(std::shared_ptr<event_stream> to)
    : to_{std::move(to)} {}

  void send(const json::object& message) override { to_->send(message); }
  void finish(const json::object& answer) override { to_->send(answer); }
  void finish(std::string answer) override { to_->send(answer); }
  void end() override { to_->close(); }
  void on_gone(std::function<void()>) override {} // the creator of the stream is told

private:
  std::shared_ptr<event_stream> to_;
};

} // namespace scratchpage::mcp
