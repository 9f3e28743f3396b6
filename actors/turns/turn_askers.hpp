#pragma once

#include <optional>
#include <vector>

#include <caf/error.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// Who wants the result of a turn: whoever has begun it, and whoever has asked for it since. A
/// result is copied for each of them, so they are bounded, and nobody can take all their places.
class turn_askers {
public:
  using promise = caf::typed_response_promise<turn_result>;

  /// For whoever begins the turn.
  explicit turn_askers(promise beginner)
    : beginner_{std::move(beginner)} {}

  /// One more waits. A principal that has as many calls as it may is answered `overloaded` to the
  /// one that has waited longest. Error: `overloaded` about `turn_id` if too many wait.
  caf::error join(promise to, const std::optional<caller>& by, timespan now);

  /// Answers whoever has begun the turn before it ends. Whether they did not have an answer yet.
  bool answer_beginner(turn_result early);

  /// Answers all who have none.
  void deliver(const turn_result& x);
  void deliver(const caf::error& x);

private:
  struct asker {
    promise to;
    std::optional<caller> by;
    timespan since; ///< on the clock that nobody sets
  };

  void end_overdue(timespan now);
  void make_way_for(const std::optional<caller>& by);
  template <class T>
  void deliver_all(const T& x);

  std::optional<promise> beginner_; ///< none once it has an answer
  std::vector<asker> later_;        ///< who has waited longest first
};

} // namespace scratchpage
