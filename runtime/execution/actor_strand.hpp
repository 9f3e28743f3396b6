#pragma once

#include <memory>
#include <type_traits>

#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/runtime/execution/strand.hpp"

namespace scratchpage {

/// A strand that is an actor.
class actor_strand : public strand {
public:
  using handle = caf::typed_actor<
    // From itself: there is work.
    caf::result<void>(caf::tick_atom)>;
  actor_strand(caf::actor_system& system, std::shared_ptr<const clock> clock);
  actor_strand(const actor_strand&) = delete;
  actor_strand& operator=(const actor_strand&) = delete;
  ~actor_strand() override;

  /// Ends it: what has not begun is dropped, and what it waits for, too. Whoever made
  /// it does so, for what waits may hold the strand itself.
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

} // namespace scratchpage
