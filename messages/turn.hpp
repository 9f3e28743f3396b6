#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/tool.hpp"
#include "scratchpage/messages/turn_status.hpp"

namespace scratchpage {

/// One tool call that a plan asks for (contract 7).
struct planned_call {
  std::string call_id; ///< unique within the turn
  std::string tool_id;
  json::object inputs;
  std::vector<std::string> depends_on; ///< needs these to have succeeded
  std::vector<std::string> after;      ///< starts when these have ended, however they ended
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

/// A turn to work on (contract 7). Of what it says only `by` is known: a person's input is
/// their own if `user_id` is absent or their name; anybody else relays a user's words, which
/// then never consent to anything (contract 14). An embedding program, which sends no `by`,
/// answers for all of it.
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
  bool hold = false;        ///< answered when all have done their part, and open until `end_turn`
  std::string traceparent;  ///< of whoever asks (trace_context.hpp), "" if nobody traces that
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

enum class urgency : uint8_t { low, medium, high };

template <>
inline constexpr std::array<std::string_view, 3> enum_names<urgency>{"low", "medium", "high"};

/// A turn's outcome (contract 7).
struct turn_result {
  std::string turn_id;
  turn_status status = turn_status::complete;
  std::string response;
  scratchpage::urgency urgency = scratchpage::urgency::low;
  std::vector<goal> goals;                     ///< that the turn made or moved
  std::vector<pending_action> pending_actions; ///< open ones of those goals
  std::vector<std::string> questions;
  json::object assessment;                   ///< the EVALUATOR's, as in its observation's metadata
  std::vector<observation_ptr> observations; ///< of the turn, in their last form
  timestamp started_at;
  timestamp ended_at;

  static constexpr auto fields(auto all) {
    using self = turn_result;
    return all(required("turn_id", &self::turn_id), required("status", &self::status),
      optional("response", &self::response), optional("urgency", &self::urgency),
      optional("goals", &self::goals), optional("pending_actions", &self::pending_actions),
      optional("questions", &self::questions), optional("assessment", &self::assessment),
      optional("observations", &self::observations), optional("started_at", &self::started_at),
      optional("ended_at", &self::ended_at));
  }
};

/// Waits for a turn that was answered early, or asks for one that has ended;
/// the last few results are kept. Error: `forbidden` for a tool.
struct await_turn {
  std::string turn_id;
  std::optional<caller> by; ///< as in `begin_turn`

  static constexpr auto fields(auto all) {
    using self = await_turn;
    return all(optional("by", &self::by), required("turn_id", &self::turn_id));
  }
};

/// Lets go of a turn that is held, and waits for it as `await_turn` does. Of one that is
/// not held it waits only. Error: `forbidden` for whoever has not begun the turn, unless
/// they own the agent.
struct end_turn {
  std::string turn_id;
  std::optional<caller> by; ///< as in `begin_turn`

  static constexpr auto fields(auto all) {
    using self = end_turn;
    return all(optional("by", &self::by), required("turn_id", &self::turn_id));
  }
};

/// Asks for turns: those that are open, then those that have ended, each the last first. The
/// EPISODIC MEMORY answers it with those that have ended.
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
  std::optional<scratchpage::urgency> urgency; ///< absent: the ROUTER has not said
  uint64_t observations = 0;                   ///< of a turn that has ended
  timestamp started_at;
  std::optional<timestamp> ended_at; ///< absent: it is open

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
  /// As `before` it goes on with the rest: the answer has ended early, since the stories of
  /// these turns are large. Absent: it has as many as were asked for, or there are no more.
  std::optional<timestamp> next_before;

  static constexpr auto fields(auto all) {
    return all(
      required("turns", &turn_list::turns), optional("next_before", &turn_list::next_before));
  }
};

} // namespace scratchpage
