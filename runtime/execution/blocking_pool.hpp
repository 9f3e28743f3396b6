#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/config.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/stateful_actor.hpp>

#if CAF_MAJOR_VERSION < 1
#include <caf/execution_unit.hpp>
#endif

#include "scratchpage/messages/compat.hpp"

namespace scratchpage {

/// Threads that run actors which wait for a disk or a server now and then. All such actors of a
/// process share a few threads, so that an agent costs none. An actor of the pool must not wait for
/// what another actor does: that actor may need the same thread. May be used from any thread.
class blocking_pool {
public:
  /// The number of threads of `usual_threads` beyond the cores: they may all wait at a time.
  static constexpr size_t threads_beyond_cores = 4;
  static size_t usual_threads();

  /// Starts one thread; further ones are started when an actor waits for one, up to `most_threads`.
  /// Throws std::system_error if the system gives this process no thread.
  explicit blocking_pool(size_t most_threads = usual_threads());
  blocking_pool(const blocking_pool&) = delete;
  blocking_pool& operator=(const blocking_pool&) = delete;

  /// Runs what is ready, and waits for the threads. The last actor may destroy it, too.
  ~blocking_pool();

  /// Adds an actor that is ready. The pool takes over one reference to it.
  void add(caf::scheduled_actor* x);

  /// The number of threads that were started so far.
  size_t threads() const;

private:
  struct state;

  static void run(const std::shared_ptr<state>& x);

  std::shared_ptr<state> state_; ///< shared with the threads
};

#if CAF_MAJOR_VERSION < 1

/// Passes an actor that becomes ready to its pool, whoever has made it ready.
class pool_entry final : public caf::execution_unit {
public:
  pool_entry(blocking_pool& to, caf::actor_system& system)
    : execution_unit{&system},
      to_{to} {}

  void exec_later(caf::resumable* x) override { to_.add(static_cast<caf::scheduled_actor*>(x)); }

private:
  blocking_pool& to_;
};

/// An actor that a pool runs, with the state class `S`.
template <class S>
class pooled_actor final : public caf::stateful_actor<S, typename S::handle::impl> {
public:
  using super = caf::stateful_actor<S, typename S::handle::impl>;

  template <class... Ts>
  pooled_actor(caf::actor_config& cfg, std::shared_ptr<blocking_pool> pool, Ts&&... xs)
    : super{cfg, std::forward<Ts>(xs)...},
      pool_{std::move(pool)} {}

  bool enqueue(caf::mailbox_element_ptr x, caf::execution_unit*) override {
    pool_entry entry{*pool_, this->home_system()};
    return super::enqueue(std::move(x), &entry);
  }

  void launch(caf::execution_unit*, bool lazy, bool hide) override {
    pool_entry entry{*pool_, this->home_system()};
    super::launch(&entry, lazy, hide);
  }

private:
  std::shared_ptr<blocking_pool> pool_;
};

#endif

/// As `spawn`, for an actor that blocks its thread: `pool` runs it. With CAF 1.x it has a thread of
/// its own.
template <class S, class... Ts>
typename S::handle spawn_pooled(
  [[maybe_unused]] std::shared_ptr<blocking_pool> pool, caf::actor_system& system, Ts&&... xs) {
#if CAF_MAJOR_VERSION < 1
  return system.spawn<pooled_actor<S>>(std::move(pool), std::forward<Ts>(xs)...);
#else
  return spawn_detached<S>(system, std::forward<Ts>(xs)...);
#endif
}

} // namespace scratchpage
