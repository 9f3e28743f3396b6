#pragma once

#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// The result with personal data masked in all that was said, for a file that
/// leaves the process. Its trace is the player's, which masks it already.
play_result masked(play_result x, const pii_masker& masker);

} // namespace scratchpage
