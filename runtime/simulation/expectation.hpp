#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/simulation/summary.hpp"

/// What a scenario demands of a run, and how it is checked. Members that are
/// absent demand nothing. `count`, `at_least` and `at_most` bound how many there
/// are that fit; with none of them at least one must.

namespace scratchpage {

struct played_turn;

/// About the turn that ended last.
struct turn_expectation {
  std::optional<turn_status> status;
  std::optional<scratchpage::urgency> urgency;
  std::optional<uint64_t> questions; ///< how many were asked
  std::string question_contains;     ///< one of them does
  std::string response_contains;
  std::optional<uint64_t> calls;        ///< how many were made
  std::optional<uint64_t> failed_calls; ///< how many of them failed for good

  static constexpr auto fields(auto all) {
    using self = turn_expectation;
    return all(optional("status", &self::status), optional("urgency", &self::urgency),
      optional("questions", &self::questions),
      optional("question_contains", &self::question_contains),
      optional("response_contains", &self::response_contains), optional("calls", &self::calls),
      optional("failed_calls", &self::failed_calls));
  }
};

/// About what is on the page, or in its archive.
struct observation_expectation {
  observation_filter filter;
  std::string text; ///< a text to query for, as in `query_observations`; not in the archive
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
  std::string agent; ///< whose page; "": the agent of the last turn, else the first
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

/// One agent's state at the moment of an expectation, as a player can tell it.
class replay_world {
public:
  virtual ~replay_world() = default;

  /// The turn that ended last; null if none has.
  virtual const played_turn* last_turn() const = 0;

  /// Every match on the page, not only the first few.
  virtual caf::expected<std::vector<observation_ptr>> observations(
    const observation_filter& filter, const std::string& text) = 0;

  /// Every match in the archive.
  virtual caf::expected<std::vector<observation_ptr>> archive(const observation_filter& filter) = 0;

  virtual caf::expected<std::vector<goal>> goals() = 0;
  virtual caf::expected<std::vector<fact>> facts() = 0;

  /// The agent's entries so far.
  virtual std::vector<trace_entry> trace() const = 0;

  /// The conversation's figures so far.
  virtual run_summary summary() const = 0;
};

/// What does not hold, a sentence each: what was expected, and what there is.
std::vector<std::string> find_unmet(const expectation& expected, replay_world& world);

} // namespace scratchpage
