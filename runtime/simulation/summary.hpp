#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// The figures of a run, or of one conversation of it. They add up.
struct run_summary {
  uint64_t conversations = 0;
  uint64_t turns = 0;
  uint64_t tool_calls = 0;         ///< planned calls that were made; retries count once
  uint64_t tool_errors = 0;        ///< calls whose first answer was a failure
  uint64_t observations_added = 0; ///< by whomever
  uint64_t error_alerts = 0;
  uint64_t recovery_plans = 0;
  uint64_t confirmations = 0; ///< `pending_confirmation` observations
  uint64_t questions = 0;     ///< asked of the user at the ends of turns
  uint64_t goals = 0;
  uint64_t facts = 0;
  uint64_t trace_entries = 0;
  uint64_t expired = 0;
  uint64_t evicted = 0;
  uint64_t timed_out_turns = 0;
  uint64_t lost = 0;         ///< published changes that a subscriber never got
  uint64_t expectations = 0; ///< steps that expected something
  uint64_t unmet = 0;        ///< expectations that did not hold
  // Within a model's window (`--window`):
  uint64_t prompts = 0;
  uint64_t prompt_tokens = 0;
  uint64_t over_window = 0;   ///< prompts that were
  uint64_t evicted_texts = 0; ///< that went to files and left a preview
  uint64_t compactions = 0;
  uint64_t offloaded_tokens = 0; ///< of history, and what
  uint64_t kept_tokens = 0;      ///< became of them in the scratchbook
  uint64_t forgotten = 0;        ///< open or pinned items that cannot be seen any more
  double virtual_seconds = 0;    ///< of the run's own time, all conversations one after another
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
      required("virtual_seconds", &self::virtual_seconds), required("wall_ms", &self::wall_ms));
  }
};

/// Adds every figure.
run_summary& operator+=(run_summary& x, const run_summary& y);

/// One JSON object over several lines, with a line end.
std::string to_summary_text(const run_summary& x);

} // namespace scratchpage
