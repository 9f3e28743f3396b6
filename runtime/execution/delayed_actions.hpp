#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <caf/action.hpp>
#include <caf/actor_clock.hpp>

namespace scratchpage {

/// Actions that wait for their time. Most of them are the timeouts of requests, which are answered
/// long before: such an action is disposed of and does nothing any more. It stays here until half
/// of all actions may be such ones, so that each costs little.
class delayed_actions {
public:
  using time_point = caf::actor_clock::time_point;

  /// Actions up to which nothing is swept.
  static constexpr size_t few = 256;

  void add(time_point at, caf::action what);

  /// When the first action is due; nothing if there is none.
  std::optional<time_point> first() const;

  /// Takes the actions that are due, in the order of their times.
  std::vector<caf::action> take_due(time_point now);

  /// Takes those that were disposed of, if there may be many. The caller destroys them: that may
  /// end an actor.
  std::vector<caf::action> take_disposed();

  size_t size() const { return all_.size(); }

private:
  struct entry {
    time_point at;
    uint64_t number; ///< of equal times, the lower one comes first
    caf::action what;
  };

  static bool is_later(const entry& a, const entry& b);

  std::vector<entry> all_; ///< a heap
  uint64_t last_ = 0;
  size_t sweep_at_ = few; ///< the size at which disposed actions are looked for
};

} // namespace scratchpage
