#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scratchpage/messages/trace.hpp"

namespace scratchpage::telemetry {

/// Where a turn's spans belong.
struct turn_place {
  std::string trace_id;
  std::string parent_id; ///< of the asker's span; "": nobody's
  std::string thread_id;
};

/// Knows in which traces turns are, and what ids their spans have. From any thread.
class turn_traces {
public:
  /// Turns that are remembered; beyond it the oldest are forgotten.
  static constexpr size_t most_known = 10'000;

  /// `salt` keeps the ids of this process apart from those of others.
  explicit turn_traces(uint64_t salt)
    : salt_{salt} {}

  /// Remembers the turn that this entry tells the beginning of; else does nothing.
  void note(const trace_entry& x);

  /// One that is not known has a trace of its own.
  turn_place place_of(const std::string& agent_id, const std::string& turn_id) const;

  std::string trace_of(std::string_view agent_id, std::string_view what) const;

  /// Ids of entries are an agent's own, and of one run; turns of several agents may belong
  /// to one trace.
  std::string span_of(std::string_view agent_id, span_id id) const;

private:
  using turn_key = std::pair<std::string, std::string>; ///< agent and turn

  const uint64_t salt_;
  mutable std::mutex mutex_;
  std::map<turn_key, turn_place> turns_;
  std::deque<turn_key> in_order_;
};

/// Whether it tells that a turn has begun.
bool begins_turn(const trace_entry& x);

} // namespace scratchpage::telemetry
