#pragma once

#include <functional>
#include <memory>
#include <string>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/expected.hpp>
#include <caf/fwd.hpp>

#include "scratchpage/messages/handles.hpp"

namespace scratchpage {

/// Asks actors for a thread that is none and must not wait, such as one that reads from
/// a network. May be used from any thread.
class operation_caller {
public:
  /// Called once with the answer's JSON, on an actor's thread, which it must not block;
  /// never if the caller ends first. It must not end the caller.
  using on_answer = std::function<void(caf::expected<std::string>)>;

  explicit operation_caller(caf::actor_system& sys);
  operation_caller(const operation_caller&) = delete;
  operation_caller& operator=(const operation_caller&) = delete;
  ~operation_caller();

  void call(const operations_actor& to, call_operation request, on_answer then) const;

  /// Runs `work` in an actor. Never if the caller ends first.
  void run(std::function<void(caf::event_based_actor*)> work) const;

private:
  class calls;

  std::shared_ptr<calls> calls_;
  caf::actor companion_; // whoever answers calls back through it, on their own thread
  caf::actor gateway_;   // runs what it is sent
};

} // namespace scratchpage
