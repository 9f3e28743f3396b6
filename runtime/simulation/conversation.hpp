#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/tools/tool_definition.hpp"
#include "scratchpage/messages/conversation.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

// What a scenario expects of a run. A member that is absent expects nothing. `count`, `at_least`
// and `at_most` bound the number of matches; without them, at least one is expected.

struct played_turn;

/// What is expected of the turn that ended last.
struct turn_expectation {
  std::optional<turn_status> status;
  std::optional<scratchpage::urgency> urgency;
  std::optional<uint64_t> questions; ///< how many were asked
  std::string question_contains;     ///< at least one of them contains it
  std::string response_contains;
  std::optional<uint64_t> calls;        ///< how many were made
  std::optional<uint64_t> failed_calls; ///< how many of them failed, also after retries

  static constexpr auto fields(auto all) {
    using self = turn_expectation;
    return all(optional("status", &self::status), optional("urgency", &self::urgency),
      optional("questions", &self::questions),
      optional("question_contains", &self::question_contains),
      optional("response_contains", &self::response_contains), optional("calls", &self::calls),
      optional("failed_calls", &self::failed_calls));
  }
};

/// What is expected of the observations on the page, or in its archive.
struct observation_expectation {
  observation_filter filter;
  std::string text; ///< a text as in `query_observations`; ignored for the archive
  std::string content_contains;
  std::optional<bool> linked_to_goal;
  std::optional<uint64_t> count;
  std::optional<uint64_t> at_least;
  std::optional<uint64_t> at_most;

  static constexpr auto fields(auto all) {
    using self = observation_expectation;
    return all(optional("filter", &self::filter), optional("text", &self::text),
      optional("content_contains", &self::content_contains),
      optional("linked_to_goal", &self::linked_to_goal), optional("count", &self::count),
      optional("at_least", &self::at_least), optional("at_most", &self::at_most));
  }
};

struct goal_expectation {
  std::string title_contains;
  std::string goal_type;
  std::optional<goal_status> status;
  std::optional<scratchpage::priority> priority;
  std::optional<double> progress_at_least;
  std::optional<uint64_t> observations; ///< how many are linked
  std::optional<uint64_t> pending_actions;
  std::optional<uint64_t> count;
  std::optional<uint64_t> at_least;
  std::optional<uint64_t> at_most;

  static constexpr auto fields(auto all) {
    using self = goal_expectation;
    return all(optional("title_contains", &self::title_contains),
      optional("goal_type", &self::goal_type), optional("status", &self::status),
      optional("priority", &self::priority),
      optional("progress_at_least", &self::progress_at_least),
      optional("observations", &self::observations),
      optional("pending_actions", &self::pending_actions), optional("count", &self::count),
      optional("at_least", &self::at_least), optional("at_most", &self::at_most));
  }
};

struct fact_expectation {
  std::string statement_contains;
  std::optional<double> confidence_at_least;
  std::optional<uint64_t> support_at_least;
  std::optional<uint64_t> count;
  std::optional<uint64_t> at_least;
  std::optional<uint64_t> at_most;

  static constexpr auto fields(auto all) {
    using self = fact_expectation;
    return all(optional("statement_contains", &self::statement_contains),
      optional("confidence_at_least", &self::confidence_at_least),
      optional("support_at_least", &self::support_at_least), optional("count", &self::count),
      optional("at_least", &self::at_least), optional("at_most", &self::at_most));
  }
};

struct trace_expectation {
  std::string component;
  std::string operation;
  std::string status;
  std::string detail_contains; ///< in the detail's JSON text
  std::optional<uint64_t> count;
  std::optional<uint64_t> at_least;
  std::optional<uint64_t> at_most;

  static constexpr auto fields(auto all) {
    using self = trace_expectation;
    return all(optional("component", &self::component), optional("operation", &self::operation),
      optional("status", &self::status), optional("detail_contains", &self::detail_contains),
      optional("count", &self::count), optional("at_least", &self::at_least),
      optional("at_most", &self::at_most));
  }
};

/// Bounds of one figure of the summary.
struct figure_expectation {
  std::optional<double> equals;
  std::optional<double> at_least;
  std::optional<double> at_most;

  static constexpr auto fields(auto all) {
    using self = figure_expectation;
    return all(optional("equals", &self::equals), optional("at_least", &self::at_least),
      optional("at_most", &self::at_most));
  }
};

struct expectation {
  std::string agent; ///< "": the agent of the last turn, else the first agent
  std::optional<turn_expectation> turn;
  std::vector<observation_expectation> observations;
  std::vector<observation_expectation> archive;
  std::vector<goal_expectation> goals;
  std::vector<fact_expectation> facts;
  std::vector<trace_expectation> trace;
  std::map<std::string, figure_expectation> summary; ///< by the figure's name

  static constexpr auto fields(auto all) {
    using self = expectation;
    return all(optional("agent", &self::agent), optional("turn", &self::turn),
      one_or_many("observations", &self::observations), one_or_many("archive", &self::archive),
      one_or_many("goals", &self::goals), one_or_many("facts", &self::facts),
      one_or_many("trace", &self::trace), optional("summary", &self::summary));
  }
};

/// The state of one agent when an expectation is checked. A player provides it.
class replay_world {
public:
  virtual ~replay_world() = default;

  /// The turn that ended last; null if none has.
  virtual const played_turn* last_turn() const = 0;

  /// All matches on the page.
  virtual caf::expected<std::vector<observation_ptr>> observations(
    const observation_filter& filter, const std::string& text) = 0;

  /// All matches in the archive.
  virtual caf::expected<std::vector<observation_ptr>> archive(const observation_filter& filter) = 0;

  virtual caf::expected<std::vector<goal>> goals() = 0;
  virtual caf::expected<std::vector<fact>> facts() = 0;

  /// The agent's entries so far.
  virtual std::vector<trace_entry> trace() const = 0;

  /// The conversation's figures so far.
  virtual run_summary summary() const = 0;
};

/// The unmet expectations, a sentence each: what was expected, and what there is.
std::vector<std::string> find_unmet(const expectation& expected, replay_world& world);

// What can be played. Scenario files and chat transcripts are both read into this form. A player
// (player.hpp) performs its steps in order.

/// A turn to play, with the recorded response of its agent ("" if unknown).
struct replay_turn {
  begin_turn request;
  std::string recorded_response;
  std::vector<chat_message> messages; ///< the recorded messages of the turn
};

/// Begins these turns at the same moment and waits until all have answered.
struct turns_step {
  std::vector<replay_turn> turns;
};

/// Lets time pass.
struct wait_step {
  timespan duration{0};
};

/// Adds an observation outside of turns.
struct add_step {
  std::string agent_id;
  caller by;
  observation_draft draft;
};

/// Checks what is expected of one agent at this point.
struct expect_step {
  std::string agent_id;
  expectation expected;
};

struct replay_step {
  std::string where; ///< "FILE:LINE", for sentences about unmet expectations
  std::variant<turns_step, wait_step, add_step, expect_step> what;
};

/// A run of one or more agents, from its first step to its last.
struct conversation {
  std::string id;
  std::string file;
  std::optional<timestamp> start;     ///< absent: the player's default
  std::vector<std::string> agents;    ///< all agents that steps name; never empty
  std::vector<tool_definition> tools; ///< recorded tools with unique ids
  std::vector<std::string> servers;   ///< the MCP servers of the run's configuration that it needs
  std::vector<replay_step> steps;
  json::object config;      ///< overrides of the run's configuration
  std::string instructions; ///< the recorded messages of the system to its model
};

/// How many turns the steps begin.
size_t count_turns(const conversation& x);

} // namespace scratchpage
