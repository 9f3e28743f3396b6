#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Assigns the numbers and ids of a page's observations. A number is used again only if the
/// observation was never added to the page.
class observation_ids {
public:
  /// Sets the first number to the one after `number`.
  void begin_after(uint64_t number) { last_ = last_applied_ = number; }

  /// The id `obs_<yyyymmdd>_<n>` with the next number. `take` assigns the number.
  std::string next(timestamp at) {
    // The text of the date is made once a day, because every addition calls this.
    if (auto day = std::chrono::floor<std::chrono::days>(at); prefix_.empty() || day != day_) {
      day_ = day;
      prefix_ = "obs_" + to_yyyymmdd(at) + "_";
    }
    std::string id;
    id.reserve(prefix_.size() + 12);
    id = prefix_;
    append_number(id, last_ + 1);
    return id;
  }

  /// Assigns the next number to an observation.
  uint64_t take() { return ++last_; }

  /// The observation with that number was added to the page.
  void note_applied(uint64_t number) { last_applied_ = number; }

  /// Frees the numbers after the last one that was applied: their observations were refused.
  void give_back() { last_ = last_applied_; }

private:
  uint64_t last_ = 0;
  uint64_t last_applied_ = 0;
  std::chrono::sys_days day_; // of the prefix
  std::string prefix_;        // "obs_<yyyymmdd>_"
};

} // namespace scratchpage
