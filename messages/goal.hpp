#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

enum class goal_status : uint8_t { pending, in_progress, blocked, completed, abandoned };

template <>
inline constexpr std::array<std::string_view, 5> enum_names<goal_status>{
  "pending", "in_progress", "blocked", "completed", "abandoned"};

enum class priority : uint8_t { low, medium, high };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<priority>{"low", "medium", "high"};

enum class assignee : uint8_t { agent, user };

template <>
inline constexpr std::array<std::string_view, 2> enum_names<assignee>{"agent", "user"};

enum class action_status : uint8_t { pending, in_progress, done, cancelled };

template <>
inline constexpr std::array<std::string_view, 4> enum_names<action_status>{
  "pending", "in_progress", "done", "cancelled"};

/// A concrete next step of a goal (contract 8).
struct pending_action {
  std::string action_id;
  std::string action_type;
  std::string description;
  assignee assigned_to = assignee::agent; ///< the agent never completes an action of the user
  scratchpage::priority priority = scratchpage::priority::medium;
  action_status status = action_status::pending;
  bool requires_confirmation = false; ///< a person decides on it, even if it is the agent's

  static constexpr auto fields(auto all) {
    using self = pending_action;
    return all(optional("action_id", &self::action_id), required("action_type", &self::action_type),
      optional("description", &self::description), optional("assigned_to", &self::assigned_to),
      optional("priority", &self::priority), optional("status", &self::status),
      optional("requires_confirmation", &self::requires_confirmation));
  }
};

/// What an observation said when it was linked to the goal.
struct goal_evidence {
  std::string observation_id;
  std::string content;
  double confidence = 0;
  std::string source; ///< who said it, in the form of `said_by`

  static constexpr auto fields(auto all) {
    using self = goal_evidence;
    return all(required("observation_id", &self::observation_id),
      optional("content", &self::content), optional("confidence", &self::confidence),
      optional("source", &self::source));
  }
};

/// A long-horizon objective (contract 8).
struct goal {
  std::string goal_id;
  std::string goal_type;
  std::string title;
  std::string description;
  scratchpage::priority priority = scratchpage::priority::medium;
  goal_status status = goal_status::pending;
  double progress = 0; ///< in [0, 1]; never falls by itself
  std::vector<std::string> observation_ids;
  std::string observation_id; ///< the first of them, "" if none
  std::vector<goal_evidence> evidence;
  json::object context;
  std::vector<pending_action> pending_actions;
  uint64_t revision = 1;
  timestamp created_at;
  timestamp updated_at;

  static constexpr auto fields(auto all) {
    using self = goal;
    return all(required("goal_id", &self::goal_id), required("goal_type", &self::goal_type),
      optional("title", &self::title), optional("description", &self::description),
      optional("priority", &self::priority), optional("status", &self::status),
      optional("progress", &self::progress), optional("observation_ids", &self::observation_ids),
      optional("observation_id", &self::observation_id), optional("evidence", &self::evidence),
      optional("context", &self::context), optional("pending_actions", &self::pending_actions),
      optional("revision", &self::revision), optional("created_at", &self::created_at),
      optional("updated_at", &self::updated_at));
  }
};

/// About how many bytes of memory the goal takes. The time that this takes grows with the number
/// of its observations, its evidence and the members of its context.
size_t memory_of(const goal& x);

/// Asks the FRONTAL CORTEX to create a goal that no observation led to. If `goal_id` is empty, the
/// FRONTAL CORTEX chooses one.
struct create_goal {
  caller by;
  goal draft; ///< the FRONTAL CORTEX sets ids, progress and times

  static constexpr auto fields(auto all) {
    return all(required("by", &create_goal::by), required("draft", &create_goal::draft));
  }
};

/// Asks for goals, oldest first. Error: `invalid_request`, on `limit` if it is not from 1 to
/// `most`, on `cursor` if it is not from an earlier answer or its goal no longer exists.
struct list_goals {
  static constexpr uint32_t most = 1'000;

  caller by;
  std::vector<goal_status> status; ///< empty: any
  /// Goals in one answer. Absent means all; only the ensemble itself asks without a limit.
  std::optional<uint32_t> limit = std::nullopt;
  std::string cursor = {}; ///< "" starts with the first goal

  static constexpr auto fields(auto all) {
    using self = list_goals;
    return all(required("by", &self::by), one_or_many("status", &self::status),
      optional("limit", &self::limit), optional("cursor", &self::cursor));
  }
};

/// Asks for one goal as it is now. Error: `not_found`.
struct get_goal {
  caller by;
  std::string goal_id;

  static constexpr auto fields(auto all) {
    return all(required("by", &get_goal::by), required("goal_id", &get_goal::goal_id));
  }
};

struct goal_list {
  std::vector<goal> goals;
  std::optional<uint64_t> total_count = std::nullopt; ///< all that match; only of `list_goals`
  std::string next_cursor = {};                       ///< "" when this was the last part

  static constexpr auto fields(auto all) {
    using self = goal_list;
    return all(required("goals", &self::goals), optional("total_count", &self::total_count),
      optional("next_cursor", &self::next_cursor));
  }
};

struct update_goal {
  caller by;
  std::string goal_id;
  std::optional<goal_status> status;
  std::optional<scratchpage::priority> priority;
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<double> progress; ///< may not fall
  std::optional<uint64_t> expected_revision;

  static constexpr auto fields(auto all) {
    using self = update_goal;
    return all(required("by", &self::by), required("goal_id", &self::goal_id),
      optional("status", &self::status), optional("priority", &self::priority),
      optional("title", &self::title), optional("description", &self::description),
      optional("progress", &self::progress),
      optional("expected_revision", &self::expected_revision));
  }
};

/// Marks a pending action as done. Only a user may complete an action that is assigned to the user
/// or needs confirmation; others get `forbidden`.
struct complete_action {
  caller by;
  std::string goal_id;
  std::string action_id;

  static constexpr auto fields(auto all) {
    using self = complete_action;
    return all(required("by", &self::by), required("goal_id", &self::goal_id),
      required("action_id", &self::action_id));
  }
};

/// Marks a pending action as cancelled. Only a user may refuse an action that is assigned to the
/// user or needs confirmation; others get `forbidden`. A goal is abandoned when none of its actions
/// is open any more and none was done.
struct refuse_action {
  caller by;
  std::string goal_id;
  std::string action_id;

  static constexpr auto fields(auto all) {
    using self = refuse_action;
    return all(required("by", &self::by), required("goal_id", &self::goal_id),
      required("action_id", &self::action_id));
  }
};

/// The FRONTAL CORTEX sends it to goal watchers: the new state of a goal.
struct goal_changed {
  std::string goal_id;
  goal_status status = goal_status::pending;
  std::vector<std::string> done; ///< ids of its actions that are done
  uint64_t revision = 1;

  static constexpr auto fields(auto all) {
    using self = goal_changed;
    return all(required("goal_id", &self::goal_id), required("status", &self::status),
      optional("done", &self::done), optional("revision", &self::revision));
  }
};

/// The message that watchers get about a goal.
inline goal_changed change_of(const goal& x) {
  goal_changed result{x.goal_id, x.status, {}, x.revision};
  for (const auto& action : x.pending_actions)
    if (action.status == action_status::done)
      result.done.push_back(action.action_id);
  return result;
}

/// The PAGE offers it to the FRONTAL CORTEX: an observation that meets a promotion rule, or one
/// whose `context.goal_id` may name an existing goal (`rule_id` is empty then).
struct promotion_candidate {
  observation_ptr observation;
  std::string rule_id;
  span_id cause = 0;
  /// The program from outside that the goal would count for. "" if it would be a goal of a person,
  /// of the ensemble, or of the program that embeds it.
  std::string counts_for = {};

  static constexpr auto fields(auto all) {
    using self = promotion_candidate;
    return all(required("observation", &self::observation), required("rule_id", &self::rule_id),
      optional("cause", &self::cause), optional("counts_for", &self::counts_for));
  }
};

struct promotion_batch {
  std::vector<promotion_candidate> candidates;

  static constexpr auto fields(auto all) {
    return all(required("candidates", &promotion_batch::candidates));
  }
};

/// The answer to a `promotion_batch`. `again` lists the candidates that could not be handled; the
/// page keeps them and offers them again at the next turn.
struct promotion_report {
  std::vector<std::string> again;

  static constexpr auto fields(auto all) {
    return all(required("again", &promotion_report::again));
  }
};

/// Sent at the end of a turn. The observations of the turn change the progress, the status and the
/// actions of the goals that they are linked to. The answer has these goals.
struct settle_goals {
  caller by;
  std::vector<observation_ptr> observations;
  std::vector<observation_ptr> told = {}; ///< alerts of which the turn's response warns

  static constexpr auto fields(auto all) {
    using self = settle_goals;
    return all(required("by", &self::by), required("observations", &self::observations),
      optional("told", &self::told));
  }
};

// -- consciousness ----------------------------------------------------------------

enum class verdict_kind : uint8_t { allow, deny, ask_user };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<verdict_kind>{
  "allow", "deny", "ask_user"};

/// An action that the CONSCIOUSNESS judges before it is done.
struct proposal {
  caller by;
  std::string action;            ///< "tool_call" or "goal"
  std::string subject;           ///< a tool's id or a goal's type
  std::vector<std::string> tags; ///< the permissions of the tool, or the tags of the evidence
  json::object details;          ///< the inputs of the call, or the context of the goal
  bool user_consents = false;    ///< the user has agreed in this turn or before
  bool user_confirms = false;    ///< the user was asked about this very action, and agreed

  static constexpr auto fields(auto all) {
    using self = proposal;
    return all(required("by", &self::by), required("action", &self::action),
      required("subject", &self::subject), optional("tags", &self::tags),
      optional("details", &self::details), optional("user_consents", &self::user_consents),
      optional("user_confirms", &self::user_confirms));
  }
};

struct verdict {
  verdict_kind kind = verdict_kind::allow;
  std::string mandate_id; ///< the rule that decided, "" if none applied
  std::string reason;

  static constexpr auto fields(auto all) {
    return all(required("kind", &verdict::kind), optional("mandate_id", &verdict::mandate_id),
      optional("reason", &verdict::reason));
  }
};

} // namespace scratchpage
