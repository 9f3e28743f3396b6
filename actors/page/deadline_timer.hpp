#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Decides when a page looks for observations that have expired or grown old, or have new texts.
/// One delayed action serves the earliest deadline. If an earlier deadline is added, another action
/// replaces it, and the former one does nothing. Observations whose end the journal has refused are
/// overdue: their end is offered again after a pause.
class deadline_timer {
public:
  explicit deadline_timer(std::shared_ptr<const clock> clock)
    : clock_{clock},
      ages_{std::move(clock)} {}

  /// A delayed action that the owner has to start.
  struct action {
    timespan delay;
    uint64_t epoch; ///< the owner passes it to `is_current` when the delay is over
  };

  /// Returns the action to be started, or nothing if the waiting action comes early enough. `next`
  /// is the earliest time at which an observation expires.
  std::optional<action> arm(std::optional<timestamp> next) {
    constexpr timespan longest = std::chrono::hours{1}; // the clock may be set in between
    if (!overdue_.empty()) {
      auto retry = clock_->now() + std::max(retry_overdue_ - clock_->steady(), timespan{0});
      next = std::min(next.value_or(retry), retry);
    }
    if (!next || (armed_for_ && *armed_for_ <= *next))
      return std::nullopt;
    armed_for_ = next;
    return action{std::clamp<timespan>(*next - clock_->now(), timespan{0}, longest), ++epoch_};
  }

  /// The delay of an action is over. Returns whether it is the current action, which then waits no
  /// longer.
  bool is_current(uint64_t epoch) {
    if (epoch != epoch_)
      return false; // an earlier deadline has replaced it
    armed_for_.reset();
    return true;
  }

  /// Storage has refused the ends of these observations: they are offered again after a pause.
  void put_off(const std::vector<uint64_t>& numbers) {
    constexpr timespan pause = std::chrono::seconds{1};
    overdue_.insert(overdue_.end(), numbers.begin(), numbers.end());
    retry_overdue_ = clock_->steady() + pause;
  }

  /// Takes out the observations whose end is to be offered again now.
  std::vector<uint64_t> take_overdue() {
    if (clock_->steady() < retry_overdue_)
      return {};
    return std::exchange(overdue_, {});
  }

  /// Whether the end of an observation waits to be offered again.
  bool is_any_overdue() const { return !overdue_.empty(); }

  /// The time between two looks for old observations.
  static constexpr timespan aging_pause = std::chrono::hours{1};

  /// Whether the owner has to start a delayed action that looks for old observations at `aging_at`.
  /// The owner calls `end_aging` when the action runs.
  bool begin_aging() {
    if (aging_at_)
      return false;
    aging_at_ = clock_->steady() + aging_pause;
    return true;
  }
  void end_aging() { aging_at_.reset(); }

  /// When the owner looks for old observations next, on the steady clock; nothing if no action
  /// waits.
  std::optional<timespan> aging_at() const { return aging_at_; }

  /// Instead of a look that would have come while the page was at rest, the one after it waits.
  void pass_aging() { *aging_at_ += aging_pause; }

  /// The same for a delayed action that indexes new texts.
  bool begin_indexing() { return !std::exchange(is_indexing_, true); }
  void end_indexing() { is_indexing_ = false; }

  /// Whether that action indexes texts now. While others wait for the page it does not, up to
  /// `most_put_off` times in a row.
  bool is_time_to_index(bool do_others_wait) {
    if (do_others_wait && ++put_off_ <= most_put_off)
      return false;
    put_off_ = 0;
    return true;
  }

  static constexpr size_t most_put_off = 50;

  /// The time by which the age of observations is measured. If the system clock is set far ahead,
  /// this time goes ahead by an hour at most, so that observations do not become old all at once.
  timestamp age_time() const { return ages_.now(); }

  /// What a timer knows beyond the deadlines of the observations.
  struct memory {
    unhurried_clock ages;
    std::optional<timespan> aging_at;
  };
  memory remembered() const { return {ages_, aging_at_}; }
  /// The owner starts the action that waits, if any.
  void restore(const memory& x) {
    ages_ = x.ages;
    aging_at_ = x.aging_at;
  }

private:
  std::shared_ptr<const clock> clock_;
  unhurried_clock ages_;
  std::vector<uint64_t> overdue_;      // numbers of observations
  timespan retry_overdue_{};           // when they are offered again, on the steady clock
  std::optional<timestamp> armed_for_; // the deadline of the current action
  uint64_t epoch_ = 0;                 // of the current action
  std::optional<timespan> aging_at_;   // when an action looks for old observations, if one waits
  bool is_indexing_ = false;           // an action that indexes new texts waits
  size_t put_off_ = 0;                 // how often in a row that action did nothing
};

} // namespace scratchpage
