#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/execution/virtual_time.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// Where a conversation is played: an actor system on virtual time or on the
/// wall clock, and how whoever directs it asks and waits.
class stage {
public:
  /// `start` is when virtual time begins.
  stage(const play_options& options, timestamp start);

  caf::actor_system& system() { return system_; }
  std::shared_ptr<const scratchpage::clock> clock() const { return clock_; }

  /// An answer on its way.
  template <class T>
  struct pending {
    std::optional<caf::expected<T>> value;
  };

  /// Asks; the answer arrives while somebody waits.
  template <class T, class Handle, class Request>
  std::shared_ptr<pending<T>> start(const Handle& whom, Request request) {
    auto answer = std::make_shared<pending<T>>();
    system_.spawn([this, answer, whom, request = std::move(request)](caf::event_based_actor* self) {
      ask(self, whom, caf::infinite, request)
        .then([this, answer](T& x) { arrive([&] { answer->value.emplace(std::move(x)); }); },
          [this, answer](const caf::error& err) { arrive([&] { answer->value.emplace(err); }); });
    });
    return answer;
  }

  /// Asks and waits.
  template <class T, class Handle, class Request>
  caf::expected<T> request(const Handle& whom, Request request) {
    auto answer = start<T>(whom, std::move(request));
    if (auto err = wait_until([&] { return answer->value.has_value(); }))
      return err;
    return std::move(*answer->value);
  }

  /// Lets time pass until `done`, which is asked on this thread only. `internal`
  /// if nothing will ever happen again, or not within an hour of wall time.
  caf::error wait_until(const std::function<bool()>& done);

  /// Lets that much time pass, and everything that is due in it happen.
  void pass(timespan duration);

  /// Lets everything happen that needs no time.
  void settle();

private:
  static caf::actor_system_config& prepare(caf::actor_system_config& cfg, bool virtual_time);
  void arrive(const std::function<void()>& note);

  caf::actor_system_config cfg_;
  caf::actor_system system_;
  std::optional<virtual_time_driver> driver_; // absent: the wall clock
  std::shared_ptr<const scratchpage::clock> clock_;
  std::mutex mutex_; // between this thread and the actors' on the wall clock
  std::condition_variable arrived_;
};

} // namespace scratchpage
