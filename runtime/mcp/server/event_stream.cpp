#include "scratchpage/runtime/mcp/server/event_stream.hpp"

#include <utility>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage::mcp {

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
  if (waiting_bytes_ > most_waiting_bytes && !waiting_.empty()) {
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

/// A comment now and then, so that nobody in between takes it for dead, and a client
/// that has gone is noticed.
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

} // namespace scratchpage::mcp
