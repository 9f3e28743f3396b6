#include "scratchpage/runtime/net/http/worker.hpp"

#include <optional>
#include <vector>

#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"

namespace scratchpage::http {

worker::worker(timespan tick)
  : tick_{tick} {}

caf::error worker::start() {
  auto started = start_thread([this] { run(); });
  if (!started)
    return started.error();
  thread_ = std::move(*started);
  return {};
}

void worker::run() {
  take_short_turns();
  std::optional<inline_executor> actors;
  actors.emplace([this, &actors] { asio::post(io_, [&actors] { actors->run(); }); });
  io_.run();
}

void worker::stop() {
  post([this] {
    stopping_ = true;
    for_each([](session& x) { x.cut_off(); });
    timer_.cancel();
    work_.reset();
  });
  {
    std::lock_guard lock{mutex_};
    ended_ = true;
  }
  if (thread_.joinable())
    thread_.join();
}

void worker::add(std::shared_ptr<session> x) {
  if (stopping_)
    return x->cut_off();
  auto* key = x.get();
  sessions_.emplace(key, std::move(x));
  if (!ticking_)
    tick();
}

void worker::remove(session* x) {
  sessions_.erase(x);
}

void worker::drain() {
  for_each([](session& x) { x.on_drain(); });
}

void worker::tick() {
  ticking_ = !sessions_.empty();
  if (!ticking_)
    return;
  timer_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(tick_));
  timer_.async_wait([this](const boost::system::error_code& ec) {
    if (ec) {
      ticking_ = false;
      return;
    }
    auto now = std::chrono::steady_clock::now();
    for_each([now](session& x) { x.on_tick(now); });
    tick();
  });
}

template <class F>
void worker::for_each(F f) {
  std::vector<std::shared_ptr<session>> all; // a copy: sessions may be removed meanwhile
  all.reserve(sessions_.size());
  for (const auto& [key, x] : sessions_)
    all.push_back(x);
  for (const auto& x : all)
    f(*x);
}

} // namespace scratchpage::http
