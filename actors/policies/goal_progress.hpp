#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/goal.hpp"

namespace scratchpage {

struct goal_progress_config {
  double observation_step; ///< share of what is left that a certain observation gains
  double open_limit;       ///< progress that observations alone can reach

  static constexpr auto fields(auto all) {
    using self = goal_progress_config;
    return all(required("observation_step", &self::observation_step),
      required("open_limit", &self::open_limit));
  }
};

caf::error validate(const goal_progress_config& x, std::string_view path);

/// Whether a goal is completed or abandoned.
bool is_over(const goal& x);

/// Who resolved an observation, as the page knows it (`resolved_by`): the user if a person
/// did, else the agent. Where the page does not know, it was whoever added it.
assignee resolver_of(const observation& x);

/// Whether it is blocked and a person has an action of it open: an agent cannot let it go on.
bool waits_for_person(const goal& x);

/// How goals move (contract 8). Progress is in [0, 1] and never falls; a goal
/// that is over does not move; an action of the user's is never completed by
/// the agent. All functions change the goal they are given, but not its revision
/// and times, and say whether they changed anything.
class goal_progress {
public:
  explicit goal_progress(goal_progress_config config)
    : config_{config} {}

  /// An observation was newly linked (a goal's first ones, which made it, are
  /// not counted: it starts at 0). A pending goal is in progress now. Each moves
  /// progress by a share of what is left, weighed with its confidence.
  bool linked(goal& x, const observation& by) const;

  /// An observation was resolved: the action that its
  /// `context.pending_action_id` names is done, if `who` may complete it.
  bool resolved(goal& x, const observation& by, assignee who) const;

  /// Marks an action as done: `not_found`, `forbidden` if it is the user's and
  /// `who` is the agent, `invalid_transition` if it was cancelled.
  caf::error complete(goal& x, std::string_view action_id, assignee who) const;

  /// Marks an action as cancelled: `not_found`, `forbidden` if it is the user's and
  /// `who` is the agent, `invalid_transition` if it was done. A goal that has nothing
  /// left to do is over: completed if something was done, else abandoned.
  caf::error cancel(goal& x, std::string_view action_id, assignee who) const;

  /// Progress and status as the actions have it: completed when there are
  /// actions and none is open.
  bool settle(goal& x) const;

private:
  goal_progress_config config_;
};

} // namespace scratchpage
