#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "scratchpage/actors/policies/reading_limits.hpp"
#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

/// What turns, and requests for them, may hold.
struct turn_limits {
  static constexpr size_t id_bytes = reading_limits::id_bytes; ///< of `thread_id` and of `user_id`
  /// Calls that wait for one turn, besides the one that has begun it; and those of one principal.
  static constexpr size_t askers = 64;
  static constexpr size_t askers_of_one = 32;
  static constexpr int64_t wait_ms = 600'000; ///< for how long a call from outside waits for a turn
  /// What callers from outside who have not begun it add to one turn, all of them together.
  static constexpr size_t additions_of_others = 1'000;
};

/// Of so much that all turns may take, how much those of programs from outside may have together:
/// the rest is for persons and for the program that embeds the ensemble.
constexpr uint64_t share_of_programs(uint64_t most) {
  return most - most / 4;
}

/// Whether a program from outside asked. The embedding program, which is none, has no `caller`.
bool is_program(const std::optional<caller>& x);

/// Whether one principal asked for both. Embedding programs, which are none, never have.
bool is_same_principal(const std::optional<caller>& a, const std::optional<caller>& b);

/// Whether both count as one for how much somebody may take: one principal does, and so do all
/// programs whose names nobody has checked.
bool counts_with(const std::optional<caller>& a, const std::optional<caller>& b);

} // namespace scratchpage
