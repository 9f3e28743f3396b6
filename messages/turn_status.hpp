#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "scratchpage/messages/enum_names.hpp"

namespace scratchpage {

/// How a turn stands, or ended (contract 7).
enum class turn_status : uint8_t {
  complete,     ///< everything that was asked is done
  more_work,    ///< ended, but something is left to do
  needs_answer, ///< ended asking the user
  background,   ///< answered; still works
  timed_out,    ///< its deadline passed
  held,         ///< answered; open until `end_turn`
  running,      ///< not answered yet; only in lists
};

template <>
inline constexpr std::array<std::string_view, 7> enum_names<turn_status>{
  "complete", "more_work", "needs_answer", "background", "timed_out", "held", "running"};

} // namespace scratchpage
