#include "scratchpage/runtime/net/http/stream_core.hpp"

#include <string>
#include <utility>
#include <variant>

#include "scratchpage/runtime/net/http/connection.hpp"
#include "scratchpage/runtime/net/http/worker.hpp"

namespace scratchpage::http {

namespace {

/// Memory that a piece takes in addition to its bytes.
constexpr size_t piece_bytes = 64;

} // namespace

stream_core::stream_core(std::shared_ptr<worker> home, stream_limit::permit in, size_t max_waiting,
  at_drain then, std::shared_ptr<answer_budget> held)
  : home_{std::move(home)},
    max_waiting_{max_waiting},
    at_drain_{then},
    held_{std::move(held)},
    in_{std::move(in)} {}

void stream_core::write(std::string text, std::function<void(bool)> then) {
  std::unique_lock lock{mutex_};
  if (ended_ || closing_ || abandoned_) {
    lock.unlock();
    if (then)
      later([then = std::move(then)] { then(false); });
    return;
  }
  auto is_first = waiting_.empty() && !under_way_;
  waiting_bytes_ += text.size() + piece_bytes;
  auto held = held_->take(text.size());
  waiting_.push_back({std::move(text), std::move(then), held.value_or(nullptr)});
  // A single piece may have any length: a writer that waits for each piece is never cut off.
  abandoned_ = !held || (!is_first && waiting_bytes_ > max_waiting_);
  wake(lock);
}

void stream_core::close() {
  std::unique_lock lock{mutex_};
  if (ended_ || std::exchange(closing_, true))
    return;
  wake(lock);
}

void stream_core::cut_off() {
  std::unique_lock lock{mutex_};
  if (ended_ || std::exchange(abandoned_, true))
    return;
  wake(lock);
}

void stream_core::on_end(std::function<void()> then) {
  std::unique_lock lock{mutex_};
  if (!ended_) {
    at_end_.push_back(std::move(then));
    return;
  }
  lock.unlock();
  later(then);
}

void stream_core::on_message(std::function<void(std::string)> then) {
  std::unique_lock lock{mutex_};
  if (ended_)
    return;
  std::swap(on_message_, then); // the old one is destroyed without the lock
  wake(lock);
}

void stream_core::attach(std::function<void()> wake) {
  std::unique_lock lock{mutex_};
  wake_ = std::move(wake);
  this->wake(lock);
}

/// Releases the lock.
void stream_core::wake(std::unique_lock<std::mutex>& lock) {
  if (!wake_ || std::exchange(is_waking_, true))
    return lock.unlock();
  lock.unlock();
  home_->post([self = shared_from_this()] { self->woken(); });
}

void stream_core::woken() {
  std::unique_lock lock{mutex_};
  is_waking_ = false;
  auto wake = wake_;
  std::optional<std::string> message;
  auto receive = on_message_;
  if (receive && !ended_)
    message = std::exchange(kept_message_, std::nullopt);
  lock.unlock();
  if (message)
    receive(std::move(*message));
  if (wake)
    wake();
}

stream_core::want stream_core::next(std::string& text) {
  std::lock_guard lock{mutex_};
  if (abandoned_)
    return want::abandon;
  if (ended_ || under_way_)
    return want::nothing;
  if (waiting_.empty())
    return closing_ ? want::close : want::nothing;
  under_way_ = std::move(waiting_.front());
  waiting_.pop_front();
  text = std::move(under_way_->text);
  under_way_->text.clear();
  waiting_bytes_ -= text.size() + piece_bytes;
  return want::piece;
}

bool stream_core::is_abandoned() const {
  std::lock_guard lock{mutex_};
  return abandoned_;
}

void stream_core::sent() {
  std::unique_lock lock{mutex_};
  auto done = std::exchange(under_way_, std::nullopt);
  lock.unlock();
  if (done && done->then)
    done->then(true);
}

bool stream_core::deliver(std::string message) {
  std::unique_lock lock{mutex_};
  if (ended_)
    return true;
  if (!on_message_) {
    kept_message_ = std::move(message);
    return false;
  }
  auto receive = on_message_;
  lock.unlock();
  receive(std::move(message));
  return true;
}

bool stream_core::takes_messages() const {
  std::lock_guard lock{mutex_};
  return !kept_message_;
}

void stream_core::drain() {
  if (at_drain_ == at_drain::end)
    close();
}

void stream_core::end() {
  std::unique_lock lock{mutex_};
  if (std::exchange(ended_, true))
    return;
  in_.release();
  auto wake = std::exchange(wake_, nullptr);
  auto receive = std::exchange(on_message_, nullptr);
  auto under_way = std::exchange(under_way_, std::nullopt);
  auto waiting = std::exchange(waiting_, {});
  auto at_end = std::exchange(at_end_, {});
  lock.unlock();
  auto task = [under_way = std::move(under_way), waiting = std::move(waiting),
                at_end = std::move(at_end)] {
    if (under_way && under_way->then)
      under_way->then(false);
    for (const auto& x : waiting)
      if (x.then)
        x.then(false);
    for (const auto& then : at_end)
      then();
  };
  later(task);
}

void stream_core::later(const std::function<void()>& task) {
  if (!home_->post(task))
    task();
}

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

/// Runs `f` on the connection's thread, at once if this is that thread. False if it has ended.
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
    answer.held = std::move(*held); // releases the bytes that the handler has held
  else
    answer = to_response(overloaded(std::string{fewer_answers}));
  send(std::move(answer));
}

void pending_exchange::send(response answer) {
  run([to = to_, number = number_, answer = std::move(answer)]() mutable {
    to->answer(number, std::move(answer));
  });
}

/// Empty if there are too many streams; the request is refused then.
stream_limit::permit pending_exchange::enter() {
  auto entered = to_->service().streams.enter(who_);
  if (auto* in = std::get_if<stream_limit::permit>(&entered))
    return std::move(*in);
  send(to_response(std::get<refusal>(entered)));
  return {};
}

template <class F>
std::shared_ptr<stream> pending_exchange::open(at_drain then, F begin) {
  auto is_first = !answered_.exchange(true);
  auto in = is_first ? enter() : stream_limit::permit{};
  auto is_admitted = static_cast<bool>(in);
  auto core = std::make_shared<stream_core>(to_->home(), std::move(in),
    to_->service().config.max_waiting_bytes, then, to_->service().answers_held);
  if (!is_admitted || !begin(core))
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
