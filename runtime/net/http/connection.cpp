#include "scratchpage/runtime/net/http/connection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "scratchpage/messages/text/keyed_hash.hpp"
#include "scratchpage/runtime/net/http/bearer.hpp"
#include "scratchpage/runtime/net/http/pending_exchange.hpp"

namespace scratchpage::http {

namespace {

constexpr size_t small_read = 4'096;
constexpr size_t body_read = 65'536;
constexpr size_t small_body = 16'384; ///< is copied behind its head rather than sent by itself

bool is_of_a_change(std::string_view method) {
  return !method.empty() && method != "GET" && method != "HEAD";
}

/// The same for all who call with the same one, however they write it, or without any.
uint64_t credential_of(const request& x) {
  const auto* given = x.header("authorization");
  auto bearer = given == nullptr ? std::nullopt : access::bearer_in(*given);
  return bearer && !bearer->empty() ? keyed_hash(*bearer) : 0;
}

std::string chunk_size(size_t x) {
  std::array<char, 24> digits;
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x, 16).ptr;
  return std::string{digits.data(), end} + "\r\n";
}

} // namespace

connection::connection(connection_setup setup)
  : home_{std::move(setup.home)},
    service_{std::move(setup.service)},
    wire_{std::move(setup.wire)},
    in_{std::move(setup.in)},
    refused_{std::move(setup.refused)},
    of_{std::move(setup.of)},
    peer_{peer_key(of_.peer)},
    write_{service_->config},
    bytes_{service_->config.max_header_bytes + body_read},
    reader_{service_->config},
    pause_{home_->io()} {}

void connection::start() {
  deadline_ = steady_after(service_->config.header_timeout);
  home_->add(shared_from_this());
  if (state_ != state::closed)
    wire_->open(shared_from_this());
}

void connection::may_be_shown_out() {
  in_.on_shown_out([home = home_, me = weak_from_this()] {
    home->post([me] {
      if (auto self = me.lock())
        self->show_out();
    });
  });
}

void connection::start_refused(const refusal& why) {
  home_->add(shared_from_this());
  if (state_ != state::closed)
    refuse(why);
}

// -- reading -------------------------------------------------------------------

void connection::on_open(bool ok) {
  if (state_ == state::closed)
    return;
  if (!ok || service_->draining)
    return close();
  wait_for_request();
  read_more();
}

void connection::wait_for_request() {
  state_ = state::idle;
  in_.is(waiting());
  deadline_ = steady_after(service_->config.idle_timeout);
}

stay connection::waiting() const {
  return number_ == 0 ? stay::unproven : stay::idle;
}

/// How many bytes may be read now.
size_t connection::room() const {
  if (state_ == state::pausing)
    return 0;
  if (state_ == state::body || state_ == state::lingering)
    return std::min(body_read, bytes_.max_size() - bytes_.size());
  auto most = service_->config.max_header_bytes + 1;
  return bytes_.size() < most ? std::min(small_read, most - bytes_.size()) : 0;
}

void connection::read_more() {
  auto may_become_websocket = state_ == state::working && facts_.asks_websocket;
  if (reading_ || ended_ || state_ == state::closed || may_become_websocket)
    return;
  auto bytes = room();
  if (bytes == 0) {
    if (state_ == state::streaming) // who writes that much does not wait for a stream
      close();
    return;
  }
  if (bytes_.size() == 0 && bytes_.capacity() > bytes) // after a body
    bytes_.shrink_to_fit();
  reading_ = true;
  wire_->read(bytes_.prepare(bytes), shared_from_this());
}

void connection::on_read(size_t bytes) {
  reading_ = false;
  if (state_ == state::closed)
    return;
  bytes_.commit(bytes);
  ended_ = bytes == 0;
  switch (state_) {
  case state::idle:
  case state::head:
  case state::body:
    if (ended_)
      return close();
    read_request();
    break;
  case state::working:
    if (ended_) { // it may still read the answer
      in_.is(stay::leaving);
      tell_gone();
    }
    break;
  case state::streaming:
  case state::lingering:
    if (ended_)
      return close();
    if (state_ == state::lingering)
      bytes_.consume(bytes_.size());
    break;
  default:
    break;
  }
  read_more();
}

void connection::read_request() {
  auto data = bytes_.data();
  auto used = reader_.feed({static_cast<const char*>(data.data()), data.size()});
  bytes_.consume(used);
  if (reader_.refused()) {
    facts_ = reader_.facts();
    is_head_ = reader_.request().method == "HEAD";
    refuse(*reader_.refused());
  } else if (reader_.has_head() && !is_admitted()) {
    return;
  } else if (reader_.is_done()) {
    dispatch();
  } else {
    read_on();
  }
}

/// Part of a request is there.
void connection::read_on() {
  if (!has_room_for_body())
    return refuse(overloaded("expected fewer long bodies at a time"));
  if (reader_.has_head() && state_ != state::body) {
    state_ = state::body;
    in_.is(waiting());
    deadline_ = steady_after(service_->config.body_timeout);
    if (reader_.facts().expects_continue && reader_.request().body.empty())
      send("HTTP/1.1 100 Continue\r\n\r\n");
  } else if (state_ == state::idle && (reader_.has_begun() || bytes_.size() > 0)) {
    state_ = state::head;
    in_.is(stay::begun);
    deadline_ = steady_after(service_->config.header_timeout);
  }
}

/// False if the bodies of all connections together are too long.
bool connection::has_room_for_body() {
  auto bytes =
    std::min<uint64_t>(reader_.request().body.capacity(), service_->config.max_body_bytes);
  if (bytes <= body_bytes_)
    return true;
  if (!service_->bodies.take(bytes - body_bytes_))
    return false;
  body_bytes_ = bytes;
  return true;
}

void connection::give_body_back() {
  service_->bodies.give(std::exchange(body_bytes_, 0));
}

/// False if the peer asks too often, which it is told then.
bool connection::is_admitted() {
  if (std::exchange(admitted_, true))
    return true;
  auto wait = service_->admit(peer_);
  if (!wait)
    return true;
  facts_ = reader_.facts();
  is_head_ = reader_.request().method == "HEAD";
  refuse({429, errc::overloaded, "", "expected fewer requests from one address", *wait});
  return false;
}

void connection::dispatch() {
  facts_ = reader_.facts();
  is_head_ = reader_.request().method == "HEAD";
  auto whose = credential_of(reader_.request());
  if (!in_.goes_to_work(whose))
    return refuse(overloaded("expected fewer requests of one caller at a time"));
  ++number_;
  auto request = reader_.take();
  give_body_back();
  admitted_ = false;
  may_pause_ = is_of_a_change(request.method);
  if (facts_.asks_websocket)
    websocket_key_ = *request.header("sec-websocket-key");
  request.peer = of_.peer;
  request.local = of_.local;
  request.secure = wire_->is_secure();
  if (service_->tell_answered) {
    asked_ = {request.method, request.path, {}, 0, {}};
    asked_at_ = std::chrono::steady_clock::now();
  }
  state_ = state::working;
  deadline_ = steady_after(service_->config.answer_timeout);
  auto back = std::make_shared<pending_exchange>(
    shared_from_this(), number_, facts_.asks_websocket, stream_caller{whose, peer_});
  try {
    service_->answer(std::move(request), std::move(back));
  } catch (...) { // dropped, it answers by itself
  }
}

// -- answering -----------------------------------------------------------------

bool connection::is_open_question(uint64_t number) const {
  return state_ == state::working && number == number_;
}

void connection::refuse(const refusal& why) {
  unread_ = !reader_.is_done();
  may_pause_ = is_of_a_change(reader_.request().method);
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

/// One of which not even the first line could be read has no method and no path.
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

/// Whoever is refused because there is too much to do, and asks again at once, would keep the
/// server busy with refusals. Probes and those who only read hear of it at once.
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
  last_ = unread_ || ended_ || !facts_.keep_alive || ends == framing::connection || is_shown_out_
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
  wire_->become_websocket(
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
  wire_->write(out_.next(), shared_from_this());
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

/// Writes what the stream has next. One that is cut off does not wait for a reader that is
/// slow.
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
  if (piece.empty()) // an empty chunk would be the last
    return stream_->sent();
  if (in_chunks_) {
    out_.add(chunk_size(piece.size()));
    piece += "\r\n";
  }
  send(std::move(piece));
}

// -- ending --------------------------------------------------------------------

/// All is said. What the other side still sends is read for a while: a socket that is
/// closed before would take back even what was said.
void connection::finish() {
  wire_->finish(shared_from_this());
  auto more_may_come = unread_ || bytes_.size() > 0 || wire_->is_secure();
  if (ended_ || !more_may_come)
    return close();
  state_ = state::lingering;
  in_.is(stay::leaving);
  deadline_ = steady_after(linger_time);
  bytes_.consume(bytes_.size());
  read_more();
}

void connection::close() {
  if (state_ == state::closed)
    return;
  auto self = shared_from_this();
  ended_ = true;
  if (state_ == state::working || state_ == state::answering)
    lost_ = number_;
  tell_gone();
  state_ = state::closed;
  pause_.cancel();
  wire_->close();
  end_stream();
  give_body_back();
  home_->remove(this);
  in_.release();
  refused_.release();
}

void connection::tell_gone() {
  for (auto& then : std::exchange(when_gone_, {}))
    then();
}

void connection::end_stream() {
  if (auto core = std::exchange(stream_, nullptr))
    core->end();
}

void connection::cut_off() {
  close();
}

bool connection::may_go() const {
  return state_ == state::opening || state_ == state::idle || state_ == state::head
         || state_ == state::body || state_ == state::pausing || state_ == state::lingering
         || write_.has_stalled() || (state_ == state::working && ended_);
}

/// Its place was given to another; what it has asked meanwhile is answered, unless it has hung
/// up or does not take it.
void connection::show_out() {
  is_shown_out_ = true;
  if (may_go())
    close();
}

void connection::on_drain() {
  if (state_ == state::idle)
    close();
  else if (state_ == state::pausing)
    pause_.cancel(); // it is told now
  else if (state_ == state::streaming)
    stream_->drain();
}

void connection::on_tick(steady_time now) {
  if (write_.is_over(now))
    return close();
  if (write_.stalls(now))
    in_.is(stay::stalled);
  if (now >= deadline_)
    on_deadline();
}

void connection::on_deadline() {
  switch (state_) {
  case state::head:
  case state::body:
    facts_ = {};
    return refuse({408, errc::deadline_exceeded, state_ == state::head ? "headers" : "body",
      "expected the whole request in time"});
  case state::working: {
    auto waiting = std::exchange(when_gone_, {});
    send_answer(to_response({503, errc::deadline_exceeded, "", "expected an answer in time", 1}),
      framing::length);
    for (auto& then : waiting)
      then();
    return read_more();
  }
  default:
    close();
  }
}

} // namespace scratchpage::http
