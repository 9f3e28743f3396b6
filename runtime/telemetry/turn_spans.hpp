#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/trace.hpp"
#include "scratchpage/runtime/telemetry/span.hpp"

namespace scratchpage::telemetry {

/// Makes spans of trace entries, in the names of the GenAI semantic conventions of
/// OpenTelemetry. A turn is one trace, or a part of the asker's if a `traceparent` came
/// with it: its first span is the turn itself (`invoke_agent`), and what was done in it
/// hangs below what caused it. What was done in no turn is a trace by itself, as far back
/// as its cause is known. Texts of people and tools stay out: spans have names, ids,
/// numbers and how it ended.
class turn_spans {
public:
  /// Turns and causes outside turns that are remembered; beyond it the oldest are forgotten.
  static constexpr size_t most_known = 10'000;

  /// `salt` keeps the ids of this process apart from those of others.
  explicit turn_spans(uint64_t salt)
    : salt_{salt} {}

  /// None for what only tells that a turn has begun.
  std::optional<span> take(const trace_entry& x);

private:
  struct open_turn {
    std::string trace_id;
    std::string parent_id; ///< of the asker's span
    std::string thread_id;
  };
  using turn_key = std::pair<std::string, std::string>; ///< agent and turn

  void begin(const trace_entry& x);
  void place(const trace_entry& x, span& to);
  std::string span_of(std::string_view agent_id, span_id id) const;
  std::string trace_of(std::string_view agent_id, std::string_view what) const;
  std::string trace_outside_turns(const trace_entry& x);

  uint64_t salt_;
  std::map<turn_key, open_turn> turns_;
  std::deque<turn_key> turns_in_order_;
  std::map<std::pair<std::string, span_id>, std::string> outside_; ///< their traces
  std::deque<std::pair<std::string, span_id>> outside_in_order_;
};

} // namespace scratchpage::telemetry
