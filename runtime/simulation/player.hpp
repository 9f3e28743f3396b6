#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/memory.hpp"
#include "scratchpage/messages/trace.hpp"
#include "scratchpage/messages/turn.hpp"
#include "scratchpage/runtime/simulation/summary.hpp"

namespace scratchpage {

struct conversation;

/// What became of one planned call.
struct played_call {
  std::string call_id;
  std::string tool_id;                  ///< that was asked first
  tool_status status = tool_status::ok; ///< of the last answer
  uint32_t attempts = 1;                ///< retries and alternatives included
  std::string error;                    ///< of the first failure, "" if there was none
  std::string recovered_by;             ///< the alternative tool that answered, "" if none
  timestamp started_at;
  double duration_ms = 0; ///< until the last answer
};

/// What happened to a turn's model, within its window: it was given a prompt, or
/// history left its sight.
struct model_moment {
  enum class kind : uint8_t { prompt, compaction };

  kind what = kind::prompt;
  std::string view;              ///< of the scratchbook, in the prompt
  uint64_t tokens = 0;           ///< of the prompt
  uint64_t compactions = 0;      ///< one after the other
  uint64_t offloaded_tokens = 0; ///< of history, and what
  uint64_t kept_tokens = 0;      ///< became of them in the scratchbook
};

/// A turn as it was played. Its errors, plans, lessons and so on are among the
/// result's observations.
struct played_turn {
  begin_turn request;
  turn_result result;
  std::vector<played_call> calls;  ///< in the order of the plan; those not begun are left out
  std::string scratchbook;         ///< its view after the turn; "" without a window
  uint64_t compactions = 0;        ///< that the turn made necessary
  std::vector<model_moment> model; ///< in their order
};

/// All that a played conversation left behind.
struct play_result {
  std::vector<played_turn> turns;            ///< in the order of the steps
  std::vector<trace_entry> trace;            ///< in the order in which it was written
  std::vector<observation_ptr> observations; ///< all there ever were, in their last form
  std::vector<goal> goals;
  std::vector<fact> facts;
  run_summary counters;           ///< of this conversation; `wall_ms` is left 0
  std::vector<std::string> unmet; ///< a sentence each, beginning with the step's `where`
};

struct play_options {
  uint64_t seed = 1;      ///< picks latencies, and chances of faults
  bool shuffle = false;   ///< the seed also picks which ready actor runs next
  bool real_time = false; ///< the wall clock instead of virtual time
  /// Tokens of the window in which the model's prompts are made; 0: none are.
  uint32_t window = 0;
  /// Called on the caller's thread when a turn has ended; may be empty.
  std::function<void()> on_turn;
};

/// Plays conversations on an ensemble. Not thread-safe.
class player {
public:
  virtual ~player() = default;

  /// The run's configuration; called once, before the first `play`. An error
  /// names the field.
  virtual caf::error configure(const json::object& config) = 0;

  /// Plays one conversation from its first step to its last, with agents of its
  /// own. Unmet expectations are no error. `invalid_request`: the conversation
  /// itself (its `config`) is wrong; anything else: the run broke.
  virtual caf::expected<play_result> play(const conversation& x, const play_options& options) = 0;
};

} // namespace scratchpage
