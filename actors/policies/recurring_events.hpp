#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/actors/policies/fact_reading.hpp"

namespace scratchpage {

struct recurring_events_limits {
  static constexpr size_t events = 64;   ///< that are remembered; then the oldest is dropped
  static constexpr size_t words = 16;    ///< of a text that reports an event
  static constexpr size_t turns = 3;     ///< in which something has to come up
  static constexpr size_t own_words = 9; ///< of a user's text
};

/// Something that has come up in several turns, in other words each time.
struct recurring_event {
  stated_fact fact;
  std::vector<std::string> observation_ids; ///< of what it was seen in, the latest last
  size_t turns = 0;
};

/// Mishaps that are reported again and again ("the gripper slipped on the jar"), and settings that
/// a user asks for again and again. It knows those since the program started.
class recurring_events {
public:
  /// Notes a report, and tells what has come up often enough with it. `stated` is what the report
  /// states by itself, "" if nothing: somebody who notes down the same in other words each time.
  std::optional<recurring_event> note(std::string_view text, fact_speaker who,
    const std::string& turn_id, const std::string& observation_id, std::string_view stated = {});

  struct event {
    std::string text;
    std::string turn_id;
    std::string observation_id;
    std::set<std::string> stems; ///< of the text
    bool is_mishap = false;
    bool is_again = false;
    bool is_note = false; ///< somebody else's about a person
    std::string stated = {};
    stated_fact told; ///< as what it was told; no statement: not yet
  };

  /// All events without their stems, the oldest first. They are forgotten here.
  std::vector<event> take();
  void restore(std::vector<event> events);

  size_t size() const { return events_.size(); }
  size_t kept_bytes() const;

private:
  std::vector<event*> like(const event& x, std::set<std::string>& common);

  std::deque<event> events_; // the latest last
};

} // namespace scratchpage
