#pragma once

#include <cstdint>

namespace scratchpage {

/// The memories' numbers among an agent's components, for their tracers.
inline constexpr uint32_t episodic_memory_component = 40;
inline constexpr uint32_t semantic_memory_component = 41;
inline constexpr uint32_t working_memory_component = 42;

} // namespace scratchpage
