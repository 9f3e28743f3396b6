#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/actors/page/page_change.hpp"
#include "scratchpage/actors/page/page_config.hpp"
#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/event.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Sends a page's changes to its journal. It numbers the changes, decides which of them are saved
/// together, and tells which can be applied when the journal has answered. At most one flight is at
/// the journal. Changes that are committed in the meantime gather for the next flight, so flights
/// grow with the load, and sequences have the order of the commits. Operations on an observation
/// that has a change on its way to the journal are parked until the change is saved or refused.
///
/// The pipeline knows no actors and reads no clock: its owner sends the flights, sets the timers,
/// applies the changes and answers the callers.
class commit_pipeline {
public:
  /// The changes of one operation. All of them happen, or none.
  struct commit {
    page_changes todo;
    caller by;
    std::string_view operation;
    std::function<void(const caf::error&)> done; ///< called by the owner
    int64_t growth = 0;                          ///< of the page, in bytes
  };

  using event_vector = std::vector<page_event>;

  /// Changes that go to the journal together.
  struct flight {
    uint64_t number = 0;
    std::shared_ptr<const event_vector> events; ///< in the order of their sequences
  };

  /// A flight that the journal has saved.
  struct arrival {
    std::shared_ptr<const event_vector> events;
    std::vector<commit> commits; ///< to be applied now, in this order
    size_t visible = 0;          ///< the first events, which were applied before those of `commits`
    bool gathers = false;        ///< the owner calls `end_gathering` after `gathering_time`
  };

  /// A flight that the journal has refused.
  struct refusal {
    std::vector<commit> commits; ///< their changes have not happened
    bool rests = false;          ///< the owner calls `end_rest` after a pause
    size_t visible = 0;          ///< changes that are visible and will be sent again
    /// Whether no other commit is on its way, so that the numbers of observations that were added
    /// by `commits` can be used again.
    bool is_empty = false;
  };

  explicit commit_pipeline(const durability_config& config)
    : config_{config} {}

  /// Sets the sequence of the first change; @pre nothing was committed yet.
  void begin_at(uint64_t sequence) { next_sequence_ = sequence; }

  // -- commits --------------------------------------------------------------------------

  /// Whether the owner applies the next commit at once and calls `publish`. Otherwise the owner
  /// calls `stage`, and applies the commit when it has arrived.
  bool is_visible_at_once() const;

  /// Gives sequences to the changes of a commit that is applied at once. With the durability
  /// `async` they are saved later.
  void publish(std::span<page_event> events);

  /// Gives sequences to the changes of `x`, one event for each, and keeps them for a flight.
  void stage(commit&& x, std::span<page_event> events);

  /// Ends the wait for a commit that has arrived or was refused. The owner calls this before it
  /// applies or refuses the commit.
  void settle(const commit& x) { count(x, -1); }

  // -- flights --------------------------------------------------------------------------

  /// Takes the next flight; nothing while another flight is at the journal, during a pause, or
  /// while changes gather. `arrived` is the number of changes that the journal has just saved.
  std::optional<flight> next_flight(size_t arrived = 0);

  /// Whether the journal has not answered that flight yet.
  bool is_under_way(uint64_t flight) const { return sent_events_ && flight == flight_; }

  arrival saved();
  refusal refused();

  /// For how long visible changes gather after others were saved.
  timespan gathering_time() const { return from_milliseconds(config_.async_ms); }
  void end_gathering() { is_gathering_ = false; }
  void end_rest() { is_resting_ = false; }

  // -- timeout of the journal; `now` is on the steady clock ---------------------------------

  /// A flight was sent: the journal has to answer within `save_ms` from `now` on.
  void begin_wait(timespan now) { answer_by_ = now + from_milliseconds(config_.save_ms); }

  /// When the flight that is under way counts as lost.
  timespan answer_by() const { return answer_by_; }
  bool is_any_under_way() const { return sent_events_ != nullptr; }

  /// Whether the owner has to start a timer that ends at `answer_by`. One timer serves all flights:
  /// when it ends, the owner calls `end_watch`, and starts it again if a later flight is under way.
  bool begin_watch() { return !std::exchange(is_watched_, true); }
  void end_watch() { is_watched_ = false; }

  // -- parked operations ------------------------------------------------------------------

  /// Whether a change of the observation is on its way to the journal.
  bool is_busy(uint64_t number) const { return busy_.contains(number); }
  /// The number of the first of these observations that is busy.
  std::optional<uint64_t> first_busy(std::span<const std::string> observation_ids) const;

  /// Keeps an operation until the observation is not busy.
  void park(uint64_t number, std::function<void()> operation);
  /// Takes out the operation that has waited longest for the observation. Returns an empty function
  /// if none waits, or if the observation is busy, also by an operation that was taken out before.
  std::function<void()> unpark(uint64_t number);

  bool is_anything_parked() const { return !parked_.empty(); }

  // -- staged changes -----------------------------------------------------------------------

  /// The last sequence that was given to a change.
  uint64_t last_sequence() const { return next_sequence_ - 1; }
  /// Changes that are staged and not settled.
  uint64_t staged() const { return staged_; }
  /// By how many observations, and bytes, the page will grow when the staged changes arrive.
  int64_t staged_growth() const { return staged_growth_; }
  int64_t staged_bytes() const { return staged_bytes_; }
  /// Whether all changes were saved and settled.
  bool is_idle() const { return staged_ == 0 && !sent_events_ && gathered_.events.empty(); }

private:
  /// First come the events of changes that are visible already, then those of `commits`.
  struct batch {
    event_vector events;
    std::vector<commit> commits;
    size_t visible = 0;
  };

  size_t largest_flight(size_t arrived) const;
  batch take_gathered(size_t max_events);
  static size_t commits_that_fit(const batch& from, size_t max_events, size_t& events);
  void count(const commit& x, int64_t sign);
  void count(const page_change& x, int64_t sign);

  durability_config config_;
  batch sent_;                                      // at the journal, without its events
  std::shared_ptr<const event_vector> sent_events_; // shared with the journal; null: no flight
  batch gathered_;                                  // for the next flights
  uint64_t flight_ = 0;                             // the number of the last flight
  uint64_t next_sequence_ = 1;

  uint64_t staged_ = 0;
  int64_t staged_growth_ = 0;
  int64_t staged_bytes_ = 0;

  std::set<uint64_t> busy_; // observations; each has at most one change on its way
  std::map<uint64_t, std::deque<std::function<void()>>> parked_; // by the busy observation

  timespan answer_by_{};      // when the flight counts as lost
  bool is_watched_ = false;   // a timer runs that ends at that time or earlier
  bool is_resting_ = false;   // pause after visible changes were refused
  bool is_gathering_ = false; // visible changes wait for more of them
};

} // namespace scratchpage
