#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <caf/error.hpp>

#include "scratchpage/actors/page/turn_limits.hpp"
#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// Whose words a turn's input is: of the user that it names, and relayed by whoever asks
/// unless they are that person.
caller asker_of(const begin_turn& x, std::string turn_id = {});

/// What is wrong about a request for a turn, whatever else the agent does: who may ask and
/// what they may say (contract 14), and the form of each member. No error: nothing.
caf::error check_request(const begin_turn& x);

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
