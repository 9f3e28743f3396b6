#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// What a request for a turn may hold.
struct turn_limits {
  static constexpr size_t id_bytes = 1'024; ///< of `thread_id` and of `user_id`
  /// Calls that wait for one turn, besides the one that has begun it; and those of one principal.
  static constexpr size_t askers = 64;
  static constexpr size_t askers_of_one = 32;
  static constexpr int64_t wait_ms = 600'000; ///< for how long a call from outside waits for a turn
};

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

/// Whether `by` may end a turn that `begun_by` has begun: whoever began it may, who owns the
/// agent, and the embedding program. Error: `forbidden` about `turn_id`.
caf::error check_ender(const std::optional<caller>& begun_by, const std::optional<caller>& by);

} // namespace scratchpage
