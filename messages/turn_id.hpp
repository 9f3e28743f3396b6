#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/utf8.hpp"

namespace scratchpage {

/// What the id of a turn that somebody asks for may be. TURNS makes all ids of turns, and makes
/// short ones, such as turn_20251105_001: a longer one is nobody's.
struct turn_id_limits {
  static constexpr size_t bytes = 128;
};

/// No error if a turn may be called that; else `invalid_request` about `turn_id`.
inline caf::error check_turn_id(std::string_view x) {
  auto is_text = utf8::is_valid(x) && x.find('\0') == std::string_view::npos;
  if (x.size() <= turn_id_limits::bytes && is_text)
    return {};
  return fail(errc::invalid_request, "turn_id",
    "expected a turn's id: a text of at most " + std::to_string(turn_id_limits::bytes) + " bytes");
}

} // namespace scratchpage
