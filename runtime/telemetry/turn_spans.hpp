#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scratchpage/messages/time.hpp"
#include "scratchpage/messages/trace.hpp"

namespace scratchpage::telemetry {

/// A span, as OpenTelemetry defines it: something that was done, with its beginning and its end.
struct span {
  using value = std::variant<std::string, int64_t, double, bool>;

  std::string trace_id;  ///< 32 hexadecimal digits
  std::string span_id;   ///< 16 hexadecimal digits
  std::string parent_id; ///< 16 hexadecimal digits; "": it is the first of its trace
  std::string name;
  bool is_server = false; ///< it answers a call from outside
  timestamp began;
  timestamp ended;
  std::string error;                                          ///< the kind of error; "": none
  std::vector<std::pair<std::string_view, value>> attributes; ///< their names are constants
};

/// The trace of a turn.
struct turn_place {
  std::string trace_id;
  std::string parent_id; ///< the caller's span; "": none
  std::string thread_id;
};

/// Remembers the traces of turns, and makes the ids of traces and spans. Thread-safe.
class turn_traces {
public:
  /// How many turns are remembered; then the oldest is forgotten.
  static constexpr size_t max_known = 10'000;

  /// `salt` makes the ids of this process different from those of others.
  explicit turn_traces(uint64_t salt)
    : salt_{salt} {}

  /// Remembers the turn if the entry is the beginning of one.
  void note(const trace_entry& x);

  /// The trace of a turn. An unknown turn has a trace of its own.
  turn_place place_of(const std::string& agent_id, const std::string& turn_id) const;

  std::string trace_of(std::string_view agent_id, std::string_view what) const;

  /// The id of the span of an entry. It depends on the agent, since turns of several agents may
  /// belong to one trace and each agent numbers its own entries.
  std::string span_of(std::string_view agent_id, span_id id) const;

private:
  using turn_key = std::pair<std::string, std::string>; ///< agent and turn

  const uint64_t salt_;
  mutable std::mutex mutex_;
  std::map<turn_key, turn_place> turns_;
  std::deque<turn_key> in_order_;
};

/// Whether the entry is the beginning of a turn.
bool begins_turn(const trace_entry& x);

/// Makes spans of trace entries, with the names of OpenTelemetry's semantic conventions for GenAI.
/// A turn is one trace, or a part of the caller's trace if it came with a `traceparent`. Its first
/// span is the turn itself (`invoke_agent`); the other spans are below their causes. Entries
/// outside turns form a trace with their causes, as far as these are known. Spans have names, ids,
/// numbers and outcomes, but no texts of people or tools.
class turn_spans {
public:
  /// How many entries outside turns are remembered as causes; then the oldest is forgotten.
  static constexpr size_t max_known = 10'000;

  explicit turn_spans(std::shared_ptr<turn_traces> traces)
    : traces_{std::move(traces)} {}

  /// Makes the span of an entry; none for the beginning of a turn.
  std::optional<span> take(const trace_entry& x);

private:
  void place(const trace_entry& x, span& to) const;
  std::string trace_outside_turns(const trace_entry& x);

  std::shared_ptr<turn_traces> traces_;
  std::map<std::pair<std::string, span_id>, std::string>
    outside_; ///< traces of entries outside turns
  std::deque<std::pair<std::string, span_id>> outside_in_order_;
};

} // namespace scratchpage::telemetry
