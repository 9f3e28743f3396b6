#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <caf/error.hpp>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"

namespace scratchpage::http {

namespace asio = boost::asio;

using steady_time = std::chrono::steady_clock::time_point;
inline constexpr auto never = steady_time::max();

/// How long a client has to close a connection after the last answer.
inline constexpr std::chrono::seconds linger_time{2};

inline steady_time steady_after(timespan x) {
  return std::chrono::steady_clock::now()
         + std::chrono::duration_cast<std::chrono::steady_clock::duration>(x);
}

/// A connection or a WebSocket of a worker. All of it is called on the worker's thread.
class session {
public:
  virtual ~session() = default;

  /// Called at intervals to check deadlines.
  virtual void on_tick(steady_time now) = 0;

  /// Ends soon: the server is about to stop.
  virtual void on_drain() = 0;

  /// Ends now.
  virtual void cut_off() = 0;
};

/// One thread and its sessions, which run only there.
class worker : public std::enable_shared_from_this<worker> {
public:
  explicit worker(timespan tick);

  asio::io_context& io() { return io_; }

  /// `overloaded` if the system has no thread.
  caf::error start();

  /// Cuts off all sessions, and returns when the thread has ended.
  void stop();

  /// Runs `task` on the thread later. False if the thread has ended or is about to.
  template <class Task>
  bool post(Task task) {
    std::lock_guard lock{mutex_};
    if (ended_)
      return false;
    asio::post(io_, std::move(task));
    return true;
  }

  bool is_here() { return io_.get_executor().running_in_this_thread(); }

  // To be called on its thread:

  void add(std::shared_ptr<session> x);
  void remove(session* x);
  void drain();

private:
  void run();
  void tick();
  template <class F>
  void for_each(F f);

  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  asio::steady_timer timer_{io_};
  timespan tick_;
  bool ticking_ = false;
  bool stopping_ = false;
  std::unordered_map<session*, std::shared_ptr<session>> sessions_;
  std::mutex mutex_;
  bool ended_ = false;
  std::thread thread_;
};

/// Measures how long a client has read nothing of what is written to it.
class write_watch {
public:
  explicit write_watch(const server_config& with)
    : timeout_{std::chrono::duration_cast<std::chrono::steady_clock::duration>(with.write_timeout)},
      stall_{std::chrono::duration_cast<std::chrono::steady_clock::duration>(stall_time(with))} {}

  void begin() {
    auto now = std::chrono::steady_clock::now();
    over_at_ = now + timeout_;
    stalled_at_ = now + stall_;
  }

  /// The client has read something. Gives whether it had stalled.
  bool end() {
    over_at_ = stalled_at_ = never;
    return std::exchange(has_stalled_, false);
  }

  /// Shortens the timeout to `within` from now.
  void hurry(timespan within) { over_at_ = std::min(over_at_, steady_after(within)); }

  bool is_over(steady_time now) const { return now >= over_at_; }

  /// True once for each write that stalls.
  bool stalls(steady_time now) { return now >= stalled_at_ && !std::exchange(has_stalled_, true); }

  bool has_stalled() const { return has_stalled_; }

private:
  std::chrono::steady_clock::duration timeout_;
  std::chrono::steady_clock::duration stall_;
  steady_time over_at_ = never;
  steady_time stalled_at_ = never;
  bool has_stalled_ = false;
};

} // namespace scratchpage::http
