#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/waiting.hpp"

namespace scratchpage {

/// The state or the outcome of a turn (contract 7).
enum class turn_status : uint8_t {
  complete,   ///< everything that was asked is done
  more_work,  ///< ended, but something is left to do
  waiting,    ///< ended, and a person has to answer before it goes on
  background, ///< answered, and still at work
  timed_out,  ///< its deadline passed
  held,       ///< answered; open until `end_turn`
  running,    ///< not answered yet; only in lists
};

template <>
inline constexpr std::array<std::string_view, 7> enum_names<turn_status>{
  "complete", "more_work", "waiting", "background", "timed_out", "held", "running"};

/// Stores of earlier versions have `waiting` under this name.
template <>
inline constexpr std::array<former_name<turn_status>, 1> former_names<turn_status>{
  former_name<turn_status>{"needs_answer", turn_status::waiting}};

/// One tool call that a plan asks for (contract 7).
struct planned_call {
  std::string call_id; ///< unique within the turn
  std::string tool_id;
  json::object inputs;
  std::vector<std::string> depends_on; ///< calls that must have succeeded before
  std::vector<std::string> after;      ///< calls that must have ended before, with any outcome
  std::optional<scratchpage::scratch_page_query> scratch_page_query;

  static constexpr auto fields(auto all) {
    using self = planned_call;
    return all(optional("call_id", &self::call_id), required("tool_id", &self::tool_id),
      optional("inputs", &self::inputs), optional("depends_on", &self::depends_on),
      optional("after", &self::after), optional("scratch_page_query", &self::scratch_page_query));
  }
};

/// `sequential`: after the thread's earlier turns; `parallel`: at once;
/// `background`: at once, and answered as soon as everybody has read the input.
enum class turn_mode : uint8_t { sequential, parallel, background };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<turn_mode>{
  "sequential", "parallel", "background"};

/// Begins a turn (contract 7). Only `by` is verified; all other members are claims. The input is a
/// person's own if `by` is that person and `user_id` is absent or their name. Any other caller
/// relays the words of a user, and relayed words never consent to anything (contract 14). A request
/// without `by` comes from the embedding program, which answers for all members.
struct begin_turn {
  static constexpr double longest_ms = 7 * 24 * 3'600'000.0; ///< a week

  std::string agent_id;
  std::string thread_id;
  std::string user_id;
  std::string input;
  std::vector<planned_call> plan;
  turn_mode mode = turn_mode::sequential;
  double deadline_ms = 0;   ///< up to `longest_ms`; 0: the configured one
  json::object context;     ///< becomes the context of the `user_input` observation
  bool hold = false;        ///< after its answer the turn stays open until `end_turn`
  std::string traceparent;  ///< of the caller (trace.hpp); "" if the caller has none
  std::optional<caller> by; ///< whom an edge has authenticated; absent: the embedding program

  static constexpr auto fields(auto all) {
    using self = begin_turn;
    return all(optional("by", &self::by), optional("agent_id", &self::agent_id),
      optional("thread_id", &self::thread_id), optional("user_id", &self::user_id),
      required("input", &self::input), optional("plan", &self::plan), optional("mode", &self::mode),
      optional("deadline_ms", &self::deadline_ms), optional("context", &self::context),
      optional("hold", &self::hold), optional("traceparent", &self::traceparent));
  }
};

/// What is kept of a turn while it is open, so that it outlives the process that runs it. What was
/// said and done in it is on the page.
struct kept_turn {
  std::string turn_id;
  std::string thread_id;
  std::string user_id;
  turn_mode mode = turn_mode::sequential;
  bool hold = false;
  timestamp started_at;
  timestamp until; ///< its deadline
  std::string traceparent;
  std::optional<caller> by;

  static constexpr auto fields(auto all) {
    using self = kept_turn;
    return all(required("turn_id", &self::turn_id), optional("thread_id", &self::thread_id),
      optional("user_id", &self::user_id), optional("mode", &self::mode),
      optional("hold", &self::hold), required("started_at", &self::started_at),
      required("until", &self::until), optional("traceparent", &self::traceparent),
      optional("by", &self::by));
  }
};

/// TURNS sends it before the input of a turn is on the page. The turn is kept until its episode is
/// recorded, or until it is dropped.
struct keep_turn {
  caller by;
  kept_turn turn;

  static constexpr auto fields(auto all) {
    return all(required("by", &keep_turn::by), required("turn", &keep_turn::turn));
  }
};

/// Drops a turn that could not begin; an unknown turn is ignored.
struct drop_turn {
  caller by; ///< `by.turn_id` names the turn

  static constexpr auto fields(auto all) { return all(required("by", &drop_turn::by)); }
};

/// Asks for the turns that were open when the last process of the agent ended.
struct list_kept_turns {
  caller by;

  static constexpr auto fields(auto all) { return all(required("by", &list_kept_turns::by)); }
};

struct kept_turn_list {
  std::vector<kept_turn> turns;  ///< in the order in which they began
  bool outlives_process = false; ///< whether turns can be kept at all

  static constexpr auto fields(auto all) {
    using self = kept_turn_list;
    return all(
      required("turns", &self::turns), optional("outlives_process", &self::outlives_process));
  }
};

enum class urgency : uint8_t { low, medium, high };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<urgency>{"low", "medium", "high"};

/// A turn's outcome (contract 7).
struct turn_result {
  std::string turn_id;
  turn_status status = turn_status::complete;
  std::string response;
  scratchpage::urgency urgency = scratchpage::urgency::low;
  std::vector<goal> goals;                     ///< that the turn created or changed
  std::vector<pending_action> pending_actions; ///< open ones of those goals
  std::vector<std::string> questions;
  json::object assessment;                   ///< the metadata of the EVALUATOR's observation
  std::vector<observation_ptr> observations; ///< of the turn, in their last form
  timestamp started_at;
  timestamp ended_at;
  std::vector<waiting_question> waiting = {}; ///< questions of earlier turns that are still open
  /// What the response begins with: a warning for each live alert that concerns the input.
  std::vector<std::string> warnings = {};

  static constexpr auto fields(auto all) {
    using self = turn_result;
    return all(required("turn_id", &self::turn_id), required("status", &self::status),
      optional("response", &self::response), optional("urgency", &self::urgency),
      optional("goals", &self::goals), optional("pending_actions", &self::pending_actions),
      optional("questions", &self::questions), optional("assessment", &self::assessment),
      optional("observations", &self::observations), optional("started_at", &self::started_at),
      optional("ended_at", &self::ended_at), optional("waiting", &self::waiting),
      optional("warnings", &self::warnings));
  }
};

/// Waits for the result of a turn that was answered early, or asks for that of one that has ended;
/// only the last results are kept. Error: `forbidden` for a tool.
struct await_turn {
  std::string turn_id;
  std::optional<caller> by; ///< as in `begin_turn`

  static constexpr auto fields(auto all) {
    using self = await_turn;
    return all(optional("by", &self::by), required("turn_id", &self::turn_id));
  }
};

/// Ends the hold on a turn and waits for its result as `await_turn` does. If the turn is not held,
/// it only waits. The response goes to the page as an `agent_response` before the turn is evaluated
/// (contract 14); the first one counts. Error: `forbidden` for a caller who neither began the turn
/// nor owns the agent, `invalid_request` about a `response` that is too long or not UTF-8.
struct end_turn {
  std::string turn_id;
  std::optional<caller> by;  ///< as in `begin_turn`
  std::string response = {}; ///< what the agent answered; "" if it gave no answer

  static constexpr auto fields(auto all) {
    using self = end_turn;
    return all(optional("by", &self::by), required("turn_id", &self::turn_id),
      optional("response", &self::response));
  }
};

/// Reports a call of a tool that the agent has made itself, in an open turn (contract 14). The
/// page gets what the EXECUTOR would have added: a `tool_result` or an `error_alert`, and what the
/// tool noticed. Error: as of `end_turn`; `conflict` about `call_id` if the turn has such a call.
struct report_tool_call {
  static constexpr size_t most_observations = 100;
  static constexpr size_t most_alternatives = 100;

  std::string turn_id;
  std::string tool_id;
  std::string call_id; ///< unique within the turn; "": TURNS gives it one
  tool_status status = tool_status::ok;
  json::object inputs;
  json::object outputs;
  std::string error;                     ///< what went wrong, "" if nothing did
  std::optional<bool> idempotent;        ///< whether the same call again does nothing more
  std::vector<std::string> alternatives; ///< tools that can stand in for it
  double duration_ms = 0;
  std::vector<json::value> observations; ///< drafts of what the tool noticed
  std::optional<caller> by;              ///< as in `begin_turn`

  static constexpr auto fields(auto all) {
    using self = report_tool_call;
    return all(optional("by", &self::by), required("turn_id", &self::turn_id),
      required("tool_id", &self::tool_id), optional("call_id", &self::call_id),
      required("status", &self::status), optional("inputs", &self::inputs),
      optional("outputs", &self::outputs), optional("error", &self::error),
      optional("idempotent", &self::idempotent), optional("alternatives", &self::alternatives),
      optional("duration_ms", &self::duration_ms), optional("observations", &self::observations));
  }
};

/// The answer to a reported call.
struct reported_call {
  observation_ptr observation;               ///< the `tool_result` or `error_alert`
  std::optional<json::object> recovery = {}; ///< the ERROR HANDLER's, if made in a second
  std::vector<std::string> warnings = {};    ///< what was not taken, and why

  static constexpr auto fields(auto all) {
    using self = reported_call;
    return all(required("observation", &self::observation), optional("recovery", &self::recovery),
      optional("warnings", &self::warnings));
  }
};

/// Asks for turns: first those that are open, then those that have ended, each with the latest
/// first. The EPISODIC MEMORY answers with those that have ended.
struct list_turns {
  static constexpr uint32_t most = 1'000;

  caller by;
  uint32_t limit = 20;             ///< in [1, most]
  std::optional<timestamp> before; ///< only those that ended earlier

  static constexpr auto fields(auto all) {
    using self = list_turns;
    return all(required("by", &self::by), optional("limit", &self::limit),
      optional("before", &self::before));
  }
};

/// A turn in a list.
struct turn_summary {
  static constexpr size_t input_bytes = 1'000;

  std::string turn_id;
  std::string thread_id;
  std::string user_id;
  std::string input; ///< its beginning, of at most `input_bytes`
  turn_status status = turn_status::running;
  std::optional<scratchpage::urgency> urgency; ///< absent until the ROUTER has decided
  uint64_t observations = 0;                   ///< only of a turn that has ended
  timestamp started_at;
  std::optional<timestamp> ended_at; ///< absent while the turn is open

  static constexpr auto fields(auto all) {
    using self = turn_summary;
    return all(required("turn_id", &self::turn_id), optional("thread_id", &self::thread_id),
      optional("user_id", &self::user_id), optional("input", &self::input),
      required("status", &self::status), optional("urgency", &self::urgency),
      optional("observations", &self::observations), required("started_at", &self::started_at),
      optional("ended_at", &self::ended_at));
  }
};

struct turn_list {
  std::vector<turn_summary> turns;
  /// Set if the answer ended early because the episodes of its turns are large: as `before` it
  /// continues with the rest. Absent if there are `limit` turns, or if there are no more.
  std::optional<timestamp> next_before;

  static constexpr auto fields(auto all) {
    return all(
      required("turns", &turn_list::turns), optional("next_before", &turn_list::next_before));
  }
};

} // namespace scratchpage
