#include "scratchpage/runtime/net/http/connection.hpp"

#include <array>
#include <charconv>
#include <functional>
#include <string>
#include <utility>

#include "scratchpage/runtime/net/http/message.hpp"
#include "scratchpage/runtime/net/http/stream_core.hpp"

// What a connection writes: answers, streams, refusals.

namespace scratchpage::http {

namespace {

constexpr size_t small_body = 16'384; ///< smaller ones are copied behind the head

std::string chunk_size(size_t x) {
  std::array<char, 24> digits;
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x, 16).ptr;
  return std::string{digits.data(), end} + "\r\n";
}

} // namespace

// -- answering -----------------------------------------------------------------

bool connection::is_open_question(uint64_t number) const {
  return state_ == state::working && number == number_;
}

void connection::refuse(const refusal& why) {
  unread_ = !reader_.is_done();
  may_pause_ = may_change(reader_.request().method);
  if (service_->tell_answered && asked_.method.empty()) {
    asked_ = {reader_.request().method, reader_.request().path, {}, 0, {}};
    asked_at_ = std::chrono::steady_clock::now();
  }
  if (!unread_)
    reader_.take();
  give_body_back();
  admitted_ = false;
  send_answer(to_response(why), framing::length);
}

void connection::answer(uint64_t number, response x) {
  if (!is_open_question(number))
    return;
  send_answer(std::move(x), framing::length);
  read_more();
}

/// A request whose first line could not be read has no method and no path in the log.
void connection::tell_answered(uint32_t status) {
  if (!service_->tell_answered)
    return;
  auto told = std::exchange(asked_, {});
  told.peer = of_.peer;
  told.status = status;
  if (!told.method.empty())
    told.took = std::chrono::steady_clock::now() - asked_at_;
  service_->tell_answered(told);
}

void connection::send_answer(response x, framing ends) {
  tell_answered(x.status);
  if (has_to_wait(x.status))
    pause(std::move(x));
  else
    send_head(std::move(x), ends);
}

/// Clients that try again at once would keep an overloaded server busy with refusals, so requests
/// that change something are refused after a pause. Reads and probes are refused at once.
bool connection::has_to_wait(uint32_t status) const {
  auto is_too_much = status == 413 || status == 429 || status == 503;
  return is_too_much && may_pause_ && !ended_ && !service_->draining
         && service_->config.refusal_pause > timespan{0};
}

void connection::pause(response x) {
  state_ = state::pausing;
  in_.is(stay::refused);
  deadline_ = never;
  pause_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
    service_->config.refusal_pause));
  pause_.async_wait(
    [self = shared_from_this(), x = std::move(x)](const boost::system::error_code&) mutable {
      if (self->state_ == state::pausing) {
        self->send_head(std::move(x), framing::length);
        self->read_more();
      }
    });
}

void connection::send_head(response x, framing ends) {
  last_ = unread_ || ended_ || !facts_.keep_alive || ends == framing::connection || is_evicted_
          || service_->draining;
  state_ = ends == framing::length ? state::answering : state::streaming;
  deadline_ = never;
  service_->count_response(x.status);
  held_ = std::move(x.held);
  std::string text;
  text.reserve(256 + (x.body.size() <= small_body ? x.body.size() : 0));
  append_head(text, x, {ends, facts_.is_1_1, !last_});
  if (is_head_ || has_no_body(x.status) || ends != framing::length)
    return send(std::move(text));
  if (x.body.size() <= small_body) {
    text += x.body;
    return send(std::move(text));
  }
  out_.add(std::move(text));
  send(std::move(x.body));
}

void connection::begin_stream(uint64_t number, response head, std::shared_ptr<stream_core> core) {
  if (!is_open_question(number))
    return core->end();
  when_gone_.clear();
  stream_ = std::move(core);
  in_chunks_ = facts_.is_1_1;
  auto has_body = !has_no_body(head.status);
  auto ends = in_chunks_ ? framing::chunks : framing::connection;
  head.body.clear();
  send_answer(std::move(head), has_body ? ends : framing::length);
  if (is_head_ || !has_body) {
    state_ = state::answering;
    end_stream();
  } else {
    stream_->attach([self = shared_from_this()] { self->pump(); });
    if (service_->draining)
      stream_->drain();
  }
  read_more();
}

void connection::become_websocket(uint64_t number, std::shared_ptr<stream_core> core) {
  if (!is_open_question(number) || ended_)
    return core->end();
  if (bytes_.size() > 0) {
    core->end();
    unread_ = true;
    return refuse(
      {400, errc::invalid_request, "", "expected nothing before the handshake's answer"});
  }
  auto self = shared_from_this();
  state_ = state::closed;
  home_->remove(this);
  transport_->become_websocket(
    {home_, service_, std::move(in_), peer_, std::move(websocket_key_), std::move(core)});
}

void connection::on_gone(uint64_t number, std::function<void()> then) {
  auto is_open = number == number_ && (state_ == state::working || state_ == state::answering);
  if (number == lost_ || (is_open && ended_))
    then();
  else if (is_open)
    when_gone_.push_back(std::move(then));
}

// -- writing -------------------------------------------------------------------

void connection::send(std::string bytes) {
  out_.add(std::move(bytes));
  if (!writing_)
    write_more();
}

void connection::write_more() {
  writing_ = true;
  write_.begin();
  transport_->write(out_.next(), shared_from_this());
}

void connection::on_written(size_t bytes) {
  writing_ = false;
  if (write_.end())
    in_.is(stay::at_work);
  if (state_ == state::closed)
    return;
  if (bytes == 0)
    return close();
  out_.consume(bytes);
  if (!out_.empty())
    return write_more();
  on_flushed();
}

void connection::on_flushed() {
  if (state_ == state::answering) {
    end_stream();
    held_ = nullptr;
    when_gone_.clear();
    if (last_ || ended_ || service_->draining)
      return finish();
    next_request();
  } else if (state_ == state::streaming) {
    stream_->sent();
    pump();
  }
}

void connection::next_request() {
  facts_ = {};
  wait_for_request();
  if (bytes_.size() > 0)
    read_request();
  read_more();
}

/// Writes the next pieces of the stream. A stream that is cut off does not wait for a slow reader.
void connection::pump() {
  if (state_ == state::streaming && stream_->is_abandoned())
    return close();
  while (state_ == state::streaming && !writing_) {
    std::string piece;
    switch (stream_->next(piece)) {
    case stream_core::want::nothing:
      return;
    case stream_core::want::abandon:
      return close();
    case stream_core::want::close:
      state_ = state::answering;
      return in_chunks_ ? send("0\r\n\r\n") : on_flushed();
    case stream_core::want::piece:
      send_piece(std::move(piece));
    }
  }
}

void connection::send_piece(std::string piece) {
  if (piece.empty()) // an empty chunk would end the body
    return stream_->sent();
  if (in_chunks_) {
    out_.add(chunk_size(piece.size()));
    piece += "\r\n";
  }
  send(std::move(piece));
}

} // namespace scratchpage::http
