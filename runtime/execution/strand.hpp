#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>

#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/type_ids.hpp"

namespace scratchpage {

/// Runs pieces of work one at a time, for objects that must not be used by two threads at once. All
/// of it may be called from any thread.
class strand {
public:
  virtual ~strand() = default;

  /// Runs `work` after all work that was posted before. Drops it if the strand ends first.
  virtual void post(std::function<void()> work) = 0;

  /// Runs `work` after `delay`.
  virtual void after(timespan delay, std::function<void()> work) = 0;

  virtual timestamp now() const = 0;
};

/// A strand that is an actor.
class actor_strand : public strand {
public:
  using handle = caf::typed_actor<
    // INTERNAL: there is work.
    caf::result<void>(caf::tick_atom)>;
  actor_strand(caf::actor_system& system, std::shared_ptr<const clock> clock);
  actor_strand(const actor_strand&) = delete;
  actor_strand& operator=(const actor_strand&) = delete;
  ~actor_strand() override;

  /// Drops all work that has not begun or is delayed. The owner has to call it, because work that
  /// waits may own the strand.
  void stop();

  void post(std::function<void()> work) override;
  void after(timespan delay, std::function<void()> work) override;
  timestamp now() const override { return clock_->now(); }

private:
  using work_of = std::function<void(handle::pointer)>;

  class inbox;
  class worker;

  void put(work_of x);

  std::shared_ptr<const clock> clock_;
  std::shared_ptr<inbox> inbox_;
  handle worker_;
};

/// A strand that runs on the threads that post to it, so that no other thread has to be woken. A
/// thread that finds the strand idle runs all work that is there; a thread that finds it busy
/// leaves its work to the one that runs. Work must not block, because it runs on another's thread.
class inline_strand : public strand {
public:
  explicit inline_strand(std::shared_ptr<const clock> clock);
  inline_strand(const inline_strand&) = delete;
  inline_strand& operator=(const inline_strand&) = delete;
  ~inline_strand() override;

  /// Waits for the work that is running, and drops all work that has not begun or is delayed. Must
  /// not be called from the strand itself.
  void stop();

  void post(std::function<void()> work) override;
  void after(timespan delay, std::function<void()> work) override;
  timestamp now() const override { return clock_->now(); }

private:
  using when = std::chrono::steady_clock::time_point;
  using lock_type = std::unique_lock<std::mutex>;

  void run(lock_type& lock);
  void look_after_time();

  std::shared_ptr<const clock> clock_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> ready_;
  std::multimap<when, std::function<void()>> later_;
  bool runs_ = false;
  bool ends_ = false;
  std::thread time_; ///< runs delayed work
};

} // namespace scratchpage
