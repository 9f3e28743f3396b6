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

/// The type of the action by which a person confirms a goal, if a mandate requires that
/// (contract 8). Until then the goal is blocked; if the person refuses, it is abandoned.
inline constexpr std::string_view confirm_goal = "confirm_goal";

/// The type of the action to warn the user of an alert. The response of a turn that begins with the
/// warning completes it (contract 14).
inline constexpr std::string_view warn_user = "warn_user";

struct goal_progress_config {
  double observation_step; ///< share of the rest that an observation of confidence 1 adds
  double open_limit;       ///< the progress that observations alone can reach

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

/// Who resolved the observation: the user if a person did, else the agent. If `resolved_by` is
/// not set, whoever added it.
assignee resolver_of(const observation& x);

/// Whether this revision of the observation is the one that resolved it. A resolved observation
/// can still be changed; such a change resolves nothing.
bool is_resolution(const observation& x);

/// Blocks a goal until a person confirms it: puts an action `confirm_goal`, without an id, before
/// its other actions. `reason` says why. The action replaces earlier confirmations. If one of them
/// is still open, the new one has both reasons; if that has this reason already, nothing changes
/// but the status.
void await_confirmation(goal& x, std::string reason);

/// Whether a person still has to confirm the goal, whatever its status is.
bool waits_for_confirmation(const goal& x);

/// Whether the goal has an open action on which a person decides.
bool asks_person(const goal& x);

/// Whether the goal waits for a person's confirmation, or is blocked or abandoned and has an open
/// action on which a person decides. An abandoned goal is included because a goal may be abandoned
/// while it is blocked.
bool waits_for_person(const goal& x);

/// Whether an agent may give the goal this status. A goal that waits for a person can only be
/// abandoned or left blocked by an agent.
bool agent_may_set(const goal& x, goal_status status);

/// The rules for progress and status of goals (contract 8). Progress is in [0, 1] and never falls.
/// An ended goal does not change. An agent never completes an action on which a person decides.
/// The functions change the goal, but not its revision and times, and return whether they changed
/// anything.
class goal_progress {
public:
  goal_progress(goal_progress_config config, const consent_config& answers)
    : config_{config},
      answers_{answers} {}

  /// Call it when an observation was linked to an existing goal; the observations that a goal is
  /// made from do not count. Raises progress by a share of the rest, weighted with the
  /// observation's confidence, and starts a pending goal unless it waits for a person. An
  /// observation of a tool from outside is evidence and changes neither. Nor does one that another
  /// outside program added or caused (`is_from_outside`), while the goal waits for a person. What
  /// repeats an observation of the goal, or tells of a failure, moves nothing either.
  bool linked(goal& x, const observation& by, bool is_from_outside = false) const;

  /// Call it when an observation was resolved. Completes the action that its
  /// `context.pending_action_id` names, if `who` may complete it and the observation counts:
  ///
  /// - `confirm_goal` is completed by a plain "yes" to a question of the Frontal Cortex. Other
  ///   sources word their questions as they like, and questions of other daemons copy their
  ///   context from an input, which anybody may have made.
  /// - Another action on which a person decides is completed in two ways. Either a person answers a
  ///   question about it, which the ensemble or a tool that the ensemble ran has asked, and the
  ///   answer `goes_along`. Or a person resolves an observation about it that is by a person or by
  ///   the ensemble. Observations of agents do not count: nobody sees which action they name.
  /// - An action of the agent is not completed by a tool from outside, nor by an observation of
  ///   such a tool that the ensemble or an answer has resolved.
  bool resolved(goal& x, const observation& by, assignee who) const;

  /// Call it when a response has warned of this alert, which is evidence of the goal. Completes the
  /// agent's actions to warn of it.
  bool warned(goal& x, const observation& of) const;

  /// Marks an action as done. Errors: `not_found`; `forbidden` if a person decides on it and
  /// `who` is the agent; `invalid_transition` if it was cancelled.
  caf::error complete(goal& x, std::string_view action_id, assignee who) const;

  /// Marks an action as cancelled. Errors: `not_found`; `forbidden` if a person decides on it and
  /// `who` is the agent; `invalid_transition` if it was done. A goal that has no open action left
  /// ends: it is completed if an action was done, else abandoned.
  caf::error cancel(goal& x, std::string_view action_id, assignee who) const;

  /// Sets progress and status from the actions: a goal is completed when one of its actions was
  /// done and none is open.
  bool settle(goal& x) const;

private:
  bool counts(const pending_action& action, const observation& by) const;
  bool lets_persons_action_end(const observation& x) const;

  goal_progress_config config_;
  consent_policy answers_;
};

/// The outside program whose limits apply to the goals that the caller makes; "" if there is none,
/// because the caller is a person, the ensemble, or the program that embeds it.
std::string counts_for(const caller& x);

/// The outside program that the goal is charged to, or "".
std::string counts_for(const goal& x);

/// Charges the goal to that outside program, or to none if it is "".
void count_for(goal& x, const std::string& program);

} // namespace scratchpage
