#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scratchpage/messages/trace.hpp"
#include "scratchpage/runtime/telemetry/span.hpp"
#include "scratchpage/runtime/telemetry/turn_traces.hpp"

namespace scratchpage::telemetry {

/// Makes spans of trace entries, in the names of the GenAI semantic conventions of
/// OpenTelemetry. A turn is one trace, or a part of the asker's if a `traceparent` came
/// with it: its first span is the turn itself (`invoke_agent`), and what was done in it
/// hangs below what caused it. What was done in no turn is a trace by itself, as far back
/// as its cause is known. Texts of people and tools stay out: spans have names, ids,
/// numbers and how it ended.
class turn_spans {
public:
  /// Causes outside turns that are remembered; beyond it the oldest are forgotten.
  static constexpr size_t most_known = 10'000;

  explicit turn_spans(std::shared_ptr<turn_traces> traces)
    : traces_{std::move(traces)} {}

  /// None for what only tells that a turn has begun.
  std::optional<span> take(const trace_entry& x);

private:
  void place(const trace_entry& x, span& to) const;
  std::string trace_outside_turns(const trace_entry& x);

  std::shared_ptr<turn_traces> traces_;
  std::map<std::pair<std::string, span_id>, std::string> outside_; ///< their traces
  std::deque<std::pair<std::string, span_id>> outside_in_order_;
};

} // namespace scratchpage::telemetry
