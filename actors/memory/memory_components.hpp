#pragma once

#include <cstdint>

#include "scratchpage/actors/base/daemon.hpp"

namespace scratchpage {

/// The memories' numbers among an agent's components, for their tracers.
inline constexpr auto episodic_memory_component = static_cast<uint32_t>(component::episodic_memory);
inline constexpr auto semantic_memory_component = static_cast<uint32_t>(component::semantic_memory);
inline constexpr auto working_memory_component = static_cast<uint32_t>(component::working_memory);

} // namespace scratchpage
