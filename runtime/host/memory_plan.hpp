#pragma once

#include <cstddef>
#include <cstdint>

#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// Which part of a host's memory each of its parts may take. The parts are more than the whole
/// together, since they are hardly ever full at once; `memory_watch` sees to the whole.
struct memory_plan {
  /// Of what agents take that do nothing: threads, connections to the database, daemons.
  static constexpr uint64_t agent_bytes = uint64_t{8} << 20;
  /// Of what each program of an MCP server takes, of which an agent has its own.
  static constexpr uint64_t program_bytes = uint64_t{16} << 20;

  /// `most`: resident bytes of the process; `programs`: that each agent starts.
  static memory_plan of(uint64_t most, size_t programs);

  uint64_t pages_bytes; ///< what all pages take together (`page_memory`)
  size_t agents;        ///< that are open at a time

  /// A configuration whose bounds in bytes fit, none of them higher than before.
  static config fitted(config x, uint64_t most);
};

/// The bound on resident bytes that a configuration asks for.
uint64_t most_memory(const memory_config& x);

} // namespace scratchpage
