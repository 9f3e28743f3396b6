#pragma once

#include <string>
#include <vector>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage {

/// From the HOUSEKEEPING: these observations left the page long ago and held
/// personal data. Whoever has a copy in memory drops or masks it, so that nothing
/// writes it down again; what is kept in the store is seen to by who asks.
struct purge_observations {
  caller by;
  std::vector<std::string> observation_ids; ///< whose every form goes
  std::vector<std::string> aged_ids;        ///< whose forms go that hold personal data
  std::vector<std::string> contents;        ///< what they said, which goals may quote
  std::vector<std::string> held;            ///< the personal data in them, as it was written
  std::vector<std::string> kinds;           ///< what counts as personal data (pii_kind)

  static constexpr auto fields(auto all) {
    using self = purge_observations;
    return all(required("by", &self::by), required("observation_ids", &self::observation_ids),
      optional("aged_ids", &self::aged_ids), optional("contents", &self::contents),
      optional("held", &self::held), optional("kinds", &self::kinds));
  }
};

} // namespace scratchpage
