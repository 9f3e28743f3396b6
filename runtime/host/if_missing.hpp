#pragma once

namespace scratchpage {

/// What becomes of a data directory or an agent that is not there.
enum class if_missing {
  make,
  refuse, ///< who only reads leaves nothing behind
};

} // namespace scratchpage
