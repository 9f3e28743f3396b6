#include "scratchpage/runtime/mcp/server/http_response_channel.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"
#include "scratchpage/runtime/net/json_rpc/json_rpc.hpp"

namespace scratchpage::mcp {

namespace {

constexpr int32_t no_such_method = static_cast<int32_t>(json_rpc::code::method_not_found);

/// The status of an answer. Only an error in the request itself has a status of its own; what a
/// handler refuses is 200.
uint32_t status_of(const json::object& answer, protocol_generation spoken) {
  const auto* error = object_in(answer, "error");
  if (spoken == protocol_generation::legacy || error == nullptr)
    return 200;
  auto code = error->at("code").to_number<int32_t>();
  if (code == no_such_method)
    return 404;
  return code == missing_capability || code == header_mismatch || code == unsupported_version ? 400
                                                                                              : 200;
}

} // namespace

std::shared_ptr<event_stream> event_stream::begin(std::shared_ptr<strand> on, http::exchange& by,
  http::at_drain then, std::function<void()> on_end) {
  http::response head;
  head.headers.push_back({"Content-Type", "text/event-stream"});
  head.headers.push_back({"Cache-Control", "no-cache, no-transform"});
  head.headers.push_back({"X-Accel-Buffering", "no"});
  auto result = std::make_shared<event_stream>();
  result->on_ = std::move(on);
  result->to_ = by.begin_stream(std::move(head), then);
  result->to_->on_end([on = result->on_, weak = std::weak_ptr{result}, on_end = std::move(on_end)] {
    on->post([weak, on_end] {
      if (auto self = weak.lock())
        self->closing_ = true;
      on_end();
    });
  });
  result->keep_alive();
  return result;
}

void event_stream::send(const json::object& message) {
  send(to_text(message));
}

void event_stream::send(std::string_view message) {
  std::string event{"event: message\ndata: "};
  put(event.append(message).append("\n\n"));
}

void event_stream::put(std::string piece) {
  if (closing_)
    return;
  waiting_bytes_ += piece.size();
  if (waiting_bytes_ > max_waiting_bytes && !waiting_.empty()) {
    closing_ = true;
    return to_->close();
  }
  wrote_ = true;
  waiting_.push_back(std::move(piece));
  if (waiting_.size() == 1)
    write_next();
}

void event_stream::write_next() {
  to_->write(waiting_.front(), [self = shared_from_this()](bool written) {
    self->on_->post([self, written] {
      self->waiting_bytes_ -= self->waiting_.front().size();
      self->waiting_.pop_front();
      if (!written) {
        self->closing_ = true;
        self->waiting_.clear();
      }
      if (!self->waiting_.empty())
        self->write_next();
      else if (self->closing_)
        self->to_->close();
    });
  });
}

void event_stream::close() {
  if (std::exchange(closing_, true))
    return;
  if (waiting_.empty())
    to_->close();
}

/// Sends a comment now and then, so that no proxy closes the stream and a client that has gone is
/// noticed.
void event_stream::keep_alive() {
  on_->after(pause_between_comments, [weak = weak_from_this()] {
    auto self = weak.lock();
    if (!self || self->closing_)
      return;
    if (!std::exchange(self->wrote_, false))
      self->put(": still here\n\n");
    self->wrote_ = false;
    self->keep_alive();
  });
}

http::response json_response(uint32_t status, const json::object& body) {
  return json_response(status, to_text(body));
}

http::response json_response(uint32_t status, std::string body) {
  http::response result;
  result.status = status;
  result.headers.push_back({"Content-Type", "application/json"});
  result.body = std::move(body);
  return result;
}

http_response_channel::http_response_channel(std::shared_ptr<strand> on,
  std::shared_ptr<http::exchange> by, protocol_generation spoken, std::string session_id)
  : on_{std::move(on)},
    by_{std::move(by)},
    spoken_{spoken},
    session_id_{std::move(session_id)} {}

void http_response_channel::stream_after(timespan delay) {
  on_->after(delay, [weak = weak_from_this()] {
    if (auto self = weak.lock(); self && !self->over_)
      self->open();
  });
}

void http_response_channel::open() {
  if (!events_)
    events_ = event_stream::begin(on_, *by_, at_drain_, [weak = weak_from_this()] {
      if (auto self = weak.lock())
        self->gone();
    });
}

void http_response_channel::send(const json::object& message) {
  open();
  events_->send(message);
}

void http_response_channel::finish(const json::object& answer) {
  auto text = to_text(answer);
  if (!finish_stream(text))
    respond(json_response(status_of(answer, spoken_), std::move(text)), answer.contains("result"));
}

void http_response_channel::finish(std::string answer) {
  if (!finish_stream(answer))
    respond(json_response(200, std::move(answer)), true);
}

/// Sends the answer as the last event of the stream. False if there is no stream.
bool http_response_channel::finish_stream(std::string_view answer) {
  over_ = true;
  when_gone_ = nullptr;
  if (!events_)
    return false;
  events_->send(answer);
  events_->close();
  return true;
}

void http_response_channel::respond(http::response x, bool has_result) {
  if (!session_id_.empty() && has_result)
    x.headers.push_back({"Mcp-Session-Id", session_id_});
  by_->respond(std::move(x));
}

void http_response_channel::end() {
  over_ = true;
  when_gone_ = nullptr;
  if (events_)
    return events_->close();
  http::response nothing;
  nothing.status = 202;
  by_->respond(std::move(nothing));
}

void http_response_channel::on_gone(std::function<void()> then) {
  if (spoken_ == protocol_generation::legacy)
    return;
  when_gone_ = std::move(then);
  by_->on_gone([on = on_, weak = weak_from_this()] {
    on->post([weak] {
      if (auto self = weak.lock())
        self->gone();
    });
  });
}

void http_response_channel::gone() {
  if (auto then = std::exchange(when_gone_, nullptr))
    then();
}

} // namespace scratchpage::mcp
