#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/mcp/server/event_stream.hpp"
#include "scratchpage/runtime/mcp/server/outlet.hpp"
#include "scratchpage/runtime/net/http/exchange.hpp"

namespace scratchpage::mcp {

/// A response with this JSON for its body.
http::response json_response(uint32_t status, const json::object& body);
http::response json_response(uint32_t status, std::string body);

/// The way back of one POST: its answer alone if nothing comes before it, else a
/// stream of events. Used on the strand.
class http_outlet : public outlet, public std::enable_shared_from_this<http_outlet> {
public:
  /// `session_id` is told with a result; "": none.
  http_outlet(std::shared_ptr<strand> on, std::shared_ptr<http::exchange> by, era spoken,
    std::string session_id = {});

  /// Opens the stream when there is no answer after `patience`, so that nobody on the
  /// way takes the request for lost.
  void stream_after(timespan patience);

  void send(const json::object& message) override;
  void finish(const json::object& answer) override;
  void finish(std::string answer) override;
  void end() override;
  /// Before anything is sent.
  void stay_open() override { at_drain_ = http::at_drain::end; }
  /// A modern client that goes away has cancelled; a legacy one may have lost its
  /// connection.
  void on_gone(std::function<void()> then) override;

private:
  void open();
  void gone();
  bool finish_stream(std::string_view answer);
  void respond(http::response x, bool has_result);

  std::shared_ptr<strand> on_;
  std::shared_ptr<http::exchange> by_;
  era spoken_;
  std::string session_id_;
  std::shared_ptr<event_stream> events_;
  http::at_drain at_drain_ = http::at_drain::wait;
  std::function<void()> when_gone_;
  bool over_ = false;
};

/// What nobody asked for, on the stream that a session's GET has opened.
class stream_outlet : public outlet {
public:
  explicit stream_outlet(std::shared_ptr<event_stream> to)
    : to_{std::move(to)} {}

  void send(const json::object& message) override { to_->send(message); }
  void finish(const json::object& answer) override { to_->send(answer); }
  void finish(std::string answer) override { to_->send(answer); }
  void end() override { to_->close(); }
  void on_gone(std::function<void()>) override {} // whoever made the stream knows

private:
  std::shared_ptr<event_stream> to_;
};

} // namespace scratchpage::mcp
