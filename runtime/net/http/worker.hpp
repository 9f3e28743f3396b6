#pragma once

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

namespace scratchpage::http {

namespace asio = boost::asio;

using steady_time = std::chrono::steady_clock::time_point;
inline constexpr auto never = steady_time::max();

/// How long the other side has to hang up, when all is said.
inline constexpr std::chrono::seconds linger_time{2};

inline steady_time steady_after(timespan x) {
  return std::chrono::steady_clock::now()
         + std::chrono::duration_cast<std::chrono::steady_clock::duration>(x);
}

/// What a worker looks after: a connection, or what has become of it. All of it is
/// called on the worker's thread.
class session {
public:
  virtual ~session() = default;

  /// Every now and then: whether a deadline is over.
  virtual void on_tick(steady_time now) = 0;

  /// The server is about to stop: end soon.
  virtual void on_drain() = 0;

  /// End now.
  virtual void cut_off() = 0;
};

/// One thread and its sessions, which live on it alone.
class worker : public std::enable_shared_from_this<worker> {
public:
  explicit worker(timespan tick);

  asio::io_context& io() { return io_; }

  /// `overloaded` if there is no thread for it.
  caf::error start();

  /// Cuts off what is there, and returns when the thread has ended.
  void stop();

  /// Runs `task` on the thread, later. False if the thread has ended or is about to.
  template <class Task>
  bool post(Task task) {
    std::lock_guard lock{mutex_};
    if (ended_)
      return false;
    asio::post(io_, std::move(task));
    return true;
  }

  bool is_here() { return io_.get_executor().running_in_this_thread(); }

  // On its thread:

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

} // namespace scratchpage::http
