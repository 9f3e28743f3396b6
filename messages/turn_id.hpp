#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// What the id of a turn that somebody asks for may be. TURNS makes all ids of turns, and makes
/// short ones, such as turn_20251105_001: a longer one is nobody's.
struct turn_id_limits {
  static constexpr size_t bytes = 128;
};

/// No error if a turn may be called that; else `invalid_request` about `turn_id`.
inline caf::error check_turn_id(std::string_view x) {
  if (x.size() <= turn_id_limits::bytes && is_key_text(x))
    return {};
  return fail(errc::invalid_request, "turn_id",
    "expected a turn's id: a text of at most " + std::to_string(turn_id_limits::bytes) + " bytes");
}

} // namespace scratchpage
