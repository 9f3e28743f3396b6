#pragma once

#include <string_view>

namespace scratchpage {

/// The type of the action with which a person lets a goal go on that a mandate wants asked
/// about (contract 8). Until then the goal is blocked; if they refuse, it is abandoned.
inline constexpr std::string_view confirm_goal = "confirm_goal";

} // namespace scratchpage
