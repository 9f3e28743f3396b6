#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/actors/policies/reading_limits.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// What a request for a turn may hold.
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

/// Whose words a turn's input is: of the user that it names, and relayed by whoever asks
/// unless they are that person.
caller asker_of(const begin_turn& x, std::string turn_id = {});

/// What is wrong about a request for a turn, whatever else the agent does: who may ask and
/// what they may say (contract 14), and the form of each member. No error: nothing.
caf::error check_request(const begin_turn& x);

/// Whether one principal asked for both. Embedding programs, which are none, never have.
bool is_same_principal(const std::optional<caller>& a, const std::optional<caller>& b);

/// Whether both count as one for how much somebody may take: one principal does, and so do all
/// programs whose names nobody has checked.
bool counts_with(const std::optional<caller>& a, const std::optional<caller>& b);

/// Whether a person says which questions the turn's input answers, as the buttons of a page do.
bool answers_by_name(const begin_turn& x);

/// Whether a sequential turn waits for an earlier one of its thread, which is at work, is held, or
/// waits itself. Nobody else keeps a person from speaking: a person's turn waits for the turns of
/// that person alone, and an answer that names its questions only for one that is at work, since
/// one that is held may wait for that answer. Any other turn waits for all earlier ones.
bool waits_for(const begin_turn& later, const begin_turn& earlier, bool earlier_is_at_work);

/// Whether `by` may end a turn that `begun_by` has begun: whoever began it may, who owns the
/// agent, and the embedding program. Error: `forbidden` about `turn_id`.
caf::error check_ender(const std::optional<caller>& begun_by, const std::optional<caller>& by);

} // namespace scratchpage
