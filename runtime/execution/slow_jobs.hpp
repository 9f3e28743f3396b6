#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <caf/resumable.hpp>

namespace scratchpage {

/// The actors that take much of a processor whenever they are run. An actor that took long once
/// is under suspicion, since its thread may have had to wait for a processor; one whose next
/// visit needs much time of a processor is slow, until it was quick for a while. May be used from
/// any thread.
class slow_jobs {
public:
  using job = caf::resumable*;
  using time_point = std::chrono::steady_clock::time_point;

  /// A visit that takes longer than that is long, unless the constructor is told otherwise.
  static constexpr std::chrono::milliseconds longest_visit{2};
  /// So many quick visits in a row, and an actor is no longer slow.
  static constexpr uint32_t quick_visits = 8;

  explicit slow_jobs(std::chrono::nanoseconds longest = longest_visit)
    : longest_{longest} {}

  /// One time that an actor is run, on one thread.
  struct visit {
    job of;
    time_point begun;
    std::optional<std::chrono::nanoseconds> of_thread{}; ///< time of a processor that it has had
  };

  /// A visit that begins now.
  visit begin(job x, time_point now = std::chrono::steady_clock::now()) const;

  /// Whether the visit has become long, so that others have their turn.
  bool is_long(const visit& x, time_point now = std::chrono::steady_clock::now()) const {
    return now - x.begun > longest_;
  }

  /// Ends a visit before the actor can be run again, and gives the time of that.
  time_point end(const visit& x);

  /// It will not be run again.
  void forget(job x);

  bool is_slow(job x) const;

private:
  /// 0: under suspicion; else how often it has still to be quick.
  using quick_left = uint32_t;

  bool is_watched(job x) const;
  void note(job x, bool was_long);

  std::chrono::nanoseconds longest_;
  mutable std::mutex guard_;
  std::unordered_map<job, quick_left> watched_;
  std::atomic<bool> are_some_watched_{false}; ///< whether it is worth a look there
};

} // namespace scratchpage
