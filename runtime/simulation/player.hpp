#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/models/model_access.hpp"
#include "scratchpage/runtime/simulation/played_calls.hpp"

namespace scratchpage {

/// The figures of a run, or of one of its conversations. Those of conversations can be added.
struct run_summary {
  uint64_t conversations = 0;
  uint64_t turns = 0;
  uint64_t tool_calls = 0;         ///< planned calls that were made; retries count once
  uint64_t tool_errors = 0;        ///< calls whose first answer was a failure
  uint64_t observations_added = 0; ///< by all sources
  uint64_t error_alerts = 0;
  uint64_t recovery_plans = 0;
  uint64_t confirmations = 0; ///< `pending_confirmation` observations
  uint64_t questions = 0;     ///< to the user, at the end of turns
  uint64_t goals = 0;
  uint64_t facts = 0;
  uint64_t trace_entries = 0;
  uint64_t expired = 0;
  uint64_t evicted = 0;
  uint64_t timed_out_turns = 0;
  uint64_t lost = 0;         ///< changes that a subscriber did not get
  uint64_t expectations = 0; ///< steps that expect something
  uint64_t unmet = 0;        ///< expectations that were not met
  // Within a model's window (`--window`):
  uint64_t prompts = 0;
  uint64_t prompt_tokens = 0;
  uint64_t over_window = 0;   ///< prompts that were larger than the window
  uint64_t evicted_texts = 0; ///< texts that were moved to files, with a preview in their place
  uint64_t compactions = 0;
  uint64_t offloaded_tokens = 0; ///< of history that compactions removed
  uint64_t kept_tokens = 0;      ///< of what replaced it in the scratchbook
  uint64_t forgotten = 0;        ///< open or pinned items that the model cannot see any more
  uint64_t todos = 0;            ///< of the scratchbooks, closed ones with them
  uint64_t open_todos = 0;       ///< those that are neither done nor archived
  uint64_t unanswered_calls = 0; ///< calls whose result is not known
  uint64_t refused_lines = 0;    ///< of the inputs, which were not played
  double virtual_seconds = 0;    ///< of the clock of the run, the sum of all conversations
  double wall_ms = 0;

  static constexpr auto fields(auto all) {
    using self = run_summary;
    return all(required("conversations", &self::conversations), required("turns", &self::turns),
      required("tool_calls", &self::tool_calls), required("tool_errors", &self::tool_errors),
      required("observations_added", &self::observations_added),
      required("error_alerts", &self::error_alerts),
      required("recovery_plans", &self::recovery_plans),
      required("confirmations", &self::confirmations), required("questions", &self::questions),
      required("goals", &self::goals), required("facts", &self::facts),
      required("trace_entries", &self::trace_entries), required("expired", &self::expired),
      required("evicted", &self::evicted), required("timed_out_turns", &self::timed_out_turns),
      required("lost", &self::lost), required("expectations", &self::expectations),
      required("unmet", &self::unmet), required("prompts", &self::prompts),
      required("prompt_tokens", &self::prompt_tokens), required("over_window", &self::over_window),
      required("evicted_texts", &self::evicted_texts), required("compactions", &self::compactions),
      required("offloaded_tokens", &self::offloaded_tokens),
      required("kept_tokens", &self::kept_tokens), required("forgotten", &self::forgotten),
      required("todos", &self::todos), required("open_todos", &self::open_todos),
      required("unanswered_calls", &self::unanswered_calls),
      required("refused_lines", &self::refused_lines),
      required("virtual_seconds", &self::virtual_seconds), required("wall_ms", &self::wall_ms));
  }
};

/// Adds every figure.
run_summary& operator+=(run_summary& x, const run_summary& y);

/// The figures as one JSON object on several lines, with a final line end.
std::string to_summary_text(const run_summary& x);

struct conversation;

/// An event of a turn's model within its window: it got a prompt, or a compaction removed history.
struct model_moment {
  enum class kind : uint8_t { prompt, compaction };

  kind what = kind::prompt;
  std::string view;              ///< of the scratchbook, in the prompt
  uint64_t tokens = 0;           ///< of the prompt
  uint64_t compactions = 0;      ///< how many, one directly after the other
  uint64_t offloaded_tokens = 0; ///< of history that they removed
  uint64_t kept_tokens = 0;      ///< of what replaced it in the scratchbook
};

/// A turn that was played. Its errors, plans, lessons and so on are observations of the result.
struct played_turn {
  begin_turn request;
  turn_result result;
  std::vector<played_call> calls;  ///< in the order of the plan, without those that did not begin
  std::string scratchbook;         ///< its view after the turn; "" without a window
  uint64_t compactions = 0;        ///< during the turn
  std::vector<model_moment> model; ///< in their order
};

/// The result of a conversation that was played.
struct play_result {
  std::vector<played_turn> turns;            ///< in the order of the steps
  std::vector<trace_entry> trace;            ///< in the order in which it was written
  std::vector<observation_ptr> observations; ///< all that were added, each in its last form
  std::vector<goal> goals;
  std::vector<fact> facts;
  run_summary counters;           ///< of this conversation; `wall_ms` is left 0
  std::vector<std::string> unmet; ///< a sentence each, beginning with the step's `where`
};

struct play_options {
  uint64_t seed = 1;      ///< of latencies and faults
  bool shuffle = false;   ///< the seed also chooses which ready actor runs next
  bool real_time = false; ///< use the wall clock in place of virtual time
  /// The window of the model in tokens, for which prompts are made; 0: no prompts are made.
  uint32_t window = 0;
  /// Called on the thread of `play` when a turn has ended; may be empty.
  std::function<void()> on_turn;
  /// How daemons ask models, if the configuration says so. Agents share its endpoint.
  models::model_access models = {};
};

/// Plays conversations on an ensemble. Not thread-safe.
class player {
public:
  virtual ~player() = default;

  /// Sets the configuration of the run. Called once, before the first `play`. An error names the
  /// field.
  virtual caf::error configure(const json::object& config) = 0;

  /// Plays one conversation from its first step to its last, with its own agents. Unmet
  /// expectations are no error. `invalid_request` means that the conversation itself (its `config`)
  /// is wrong; every other error means that the run failed.
  virtual caf::expected<play_result> play(const conversation& x, const play_options& options) = 0;
};

/// Plays conversations on real ensembles, one for each agent, with recorded tools. In virtual time,
/// the same seed gives exactly the same run.
class ensemble_player : public player {
public:
  caf::error configure(const json::object& config) override;
  caf::expected<play_result> play(const conversation& x, const play_options& options) override;

private:
  json::object config_;
};

} // namespace scratchpage
