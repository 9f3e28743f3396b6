#include "scratchpage/runtime/net/http/connection.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/runtime/net/http/message.hpp"
#include "scratchpage/runtime/net/http/stream_core.hpp"

// The connection as it reads requests and ends. connection_output.cpp has what it writes.

namespace scratchpage::http {

namespace {

constexpr size_t small_read = 4'096;
constexpr size_t body_read = 65'536;

/// A hash of the bearer token, however the header is written; 0: there is none.
uint64_t credential_of(const request& x) {
  const auto* given = x.header("authorization");
  auto bearer = given == nullptr ? std::nullopt : http::bearer_in(*given);
  return bearer && !bearer->empty() ? keyed_hash(*bearer) : 0;
}

} // namespace

connection::connection(connection_setup setup)
  : home_{std::move(setup.home)},
    service_{std::move(setup.service)},
    transport_{std::move(setup.transport)},
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
    transport_->open(shared_from_this());
}

void connection::may_be_evicted() {
  in_.on_evicted([home = home_, me = weak_from_this()] {
    home->post([me] {
      if (auto self = me.lock())
        self->on_eviction();
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

/// How many bytes the connection may read now.
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
    if (state_ == state::streaming) // a client that sends that much does not read a stream
      close();
    return;
  }
  if (bytes_.size() == 0 && bytes_.capacity() > bytes) // after a body
    bytes_.shrink_to_fit();
  reading_ = true;
  transport_->read(bytes_.prepare(bytes), shared_from_this());
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
    if (ended_) { // the client may still read the answer
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

/// Reads on when only a part of a request has arrived.
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

/// False if the budget for the bodies of all connections is used up.
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

/// False if the peer sends too many requests; the request is refused then.
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

bool connection::may_change(std::string_view method) {
  return !method.empty() && method != "GET" && method != "HEAD";
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
  may_pause_ = may_change(request.method);
  if (facts_.asks_websocket)
    websocket_key_ = *request.header("sec-websocket-key");
  request.peer = of_.peer;
  request.local = of_.local;
  request.secure = transport_->is_secure();
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
  } catch (...) { // `back` is destroyed, and answers 503
  }
}

// -- ending --------------------------------------------------------------------

/// Ends the connection after the last answer. What the client still sends is read for a while: if a
/// socket is closed with unread bytes, the client may lose the answer (RFC 9112, 9.6).
void connection::finish() {
  transport_->finish(shared_from_this());
  auto more_may_come = unread_ || bytes_.size() > 0 || transport_->is_secure();
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
  transport_->close();
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

/// Another connection has taken the place of this one. A request that is being answered is still
/// answered, unless the client has closed its side or does not read.
void connection::on_eviction() {
  is_evicted_ = true;
  if (may_go())
    close();
}

void connection::on_drain() {
  if (state_ == state::idle)
    close();
  else if (state_ == state::pausing)
    pause_.cancel(); // it is refused now
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
