#include "scratchpage/runtime/net/http/pending_exchange.hpp"

#include <string>
#include <utility>
#include <variant>

#include "scratchpage/runtime/net/http/connection.hpp"

namespace scratchpage::http {

pending_exchange::pending_exchange(
  std::shared_ptr<connection> to, uint64_t number, bool asks_websocket, stream_caller who)
  : to_{std::move(to)},
    number_{number},
    asks_websocket_{asks_websocket},
    who_{std::move(who)} {}

pending_exchange::~pending_exchange() {
  if (!answered_)
    respond(to_response(overloaded("expected an answer, there is none")));
}

/// On the connection's thread; at once if this is it. False if that has ended.
template <class F>
bool pending_exchange::run(F f) {
  if (!to_->home()->is_here())
    return to_->home()->post(std::move(f));
  f();
  return true;
}

void pending_exchange::respond(response answer) {
  if (answered_.exchange(true))
    return;
  auto held = to_->service().answers_held->take(answer.body.size());
  if (held)
    answer.held = std::move(*held); // what the handler has held is given back
  else
    answer = to_response(overloaded(std::string{fewer_answers}));
  send(std::move(answer));
}

void pending_exchange::send(response answer) {
  run([to = to_, number = number_, answer = std::move(answer)]() mutable {
    to->answer(number, std::move(answer));
  });
}

/// None if there are too many, which is answered then.
stream_places::place pending_exchange::enter() {
  auto entered = to_->service().streams.enter(who_);
  if (auto* in = std::get_if<stream_places::place>(&entered))
    return std::move(*in);
  send(to_response(std::get<refusal>(entered)));
  return {};
}

template <class F>
std::shared_ptr<stream> pending_exchange::open(at_drain then, F begin) {
  auto is_first = !answered_.exchange(true);
  auto in = is_first ? enter() : stream_places::place{};
  auto has_place = static_cast<bool>(in);
  auto core = std::make_shared<stream_core>(to_->home(), std::move(in),
    to_->service().config.max_waiting_bytes, then, to_->service().answers_held);
  if (!has_place || !begin(core))
    core->end();
  return std::make_shared<stream_handle>(std::move(core));
}

std::shared_ptr<stream> pending_exchange::begin_stream(response head, at_drain then) {
  return open(then, [&](const std::shared_ptr<stream_core>& core) {
    return run([to = to_, number = number_, head = std::move(head), core]() mutable {
      to->begin_stream(number, std::move(head), core);
    });
  });
}

std::shared_ptr<stream> pending_exchange::accept_websocket() {
  if (!asks_websocket_)
    return nullptr;
  return open(at_drain::end, [&](const std::shared_ptr<stream_core>& core) {
    return run([to = to_, number = number_, core] { to->become_websocket(number, core); });
  });
}

void pending_exchange::on_gone(std::function<void()> then) {
  auto task = [to = to_, number = number_, then] { to->on_gone(number, then); };
  if (!to_->home()->post(std::move(task)))
    then();
}

} // namespace scratchpage::http
