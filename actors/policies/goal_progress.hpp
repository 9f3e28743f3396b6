#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/consent_policy.hpp"
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

/// Whether a person decides on the action: it is the user's, or it needs confirmation.
bool is_persons(const pending_action& x);

/// Who resolved an observation, as the page knows it (`resolved_by`): the user if a person
/// did, else the agent. Where the page does not know, it was whoever added it.
assignee resolver_of(const observation& x);

/// Whether a change resolved the observation, and not an earlier one: what is resolved can
/// still be changed, and resolves nothing then.
bool is_resolution(const observation& x);

/// Blocks a goal until a person confirms it, which is its first action from now on and has no id
/// yet. `reason` says why. It takes the place of earlier confirmations: a person who was asked for
/// another reason, and has not answered, is asked anew for both. One who was asked for this reason
/// already is not asked again.
void await_confirmation(goal& x, std::string reason);

/// Whether a person has to say that the goal may go on, whatever its status is.
bool waits_for_confirmation(const goal& x);

/// Whether the goal has an open action on which a person decides.
bool asks_person(const goal& x);

/// Whether the goal waits for a person's confirmation, or is blocked or abandoned and has an
/// action open on which a person decides. A goal may be abandoned while it is blocked, and does not
/// wait any less then.
bool waits_for_person(const goal& x);

/// Whether an agent may give the goal this status. One that waits for a person it may only
/// give up, or leave blocked.
bool agent_may_set(const goal& x, goal_status status);

/// How goals move (contract 8). Progress is in [0, 1] and never falls; a goal
/// that is over does not move; an action on which a person decides is never completed by
/// the agent. All functions change the goal they are given, but not its revision
/// and times, and say whether they changed anything.
class goal_progress {
public:
  goal_progress(goal_progress_config config, consent_config answers)
    : config_{config},
      answers_{std::move(answers)} {}

  /// An observation was newly linked (a goal's first ones, which made it, are
  /// not counted: it starts at 0). A pending goal is in progress now, unless it waits for a
  /// person. Each moves progress by a share of what is left, weighed with its confidence. What
  /// a tool from outside noticed is evidence, and moves nothing. Nor does what any other program
  /// from outside said, or made the ensemble say (`is_from_outside`), while the goal waits for a
  /// person.
  bool linked(goal& x, const observation& by, bool is_from_outside = false) const;

  /// An observation was resolved: the action that its
  /// `context.pending_action_id` names is done, if `who` may complete it and the
  /// observation counts:
  ///
  /// - A goal is confirmed by a plain "yes" to a question of the Frontal Cortex. What others ask
  ///   is for them to word, and questions of other daemons have the context of anybody's input.
  /// - Another action on which a person decides is done when a person answers a question about
  ///   it that the ensemble asked, or a tool that the ensemble ran, and the answer goes along; or
  ///   when a person resolves by themself what a person or the ensemble said about it. Agents
  ///   word what they put on the page as they like, and nobody sees which action it names.
  /// - Another action of the agent's is not done by a tool from outside, nor by what the
  ///   ensemble or an answer makes of something that such a tool put on the page.
  bool resolved(goal& x, const observation& by, assignee who) const;

  /// Marks an action as done: `not_found`, `forbidden` if a person decides on it and
  /// `who` is the agent, `invalid_transition` if it was cancelled.
  caf::error complete(goal& x, std::string_view action_id, assignee who) const;

  /// Marks an action as cancelled: `not_found`, `forbidden` if a person decides on it and
  /// `who` is the agent, `invalid_transition` if it was done. A goal that has nothing
  /// left to do is over: completed if something was done, else abandoned.
  caf::error cancel(goal& x, std::string_view action_id, assignee who) const;

  /// Progress and status as the actions have it: completed when there are
  /// actions and none is open.
  bool settle(goal& x) const;

private:
  bool counts(const pending_action& action, const observation& by) const;
  bool lets_persons_action_end(const observation& x) const;

  goal_progress_config config_;
  consent_policy answers_;
};

} // namespace scratchpage
