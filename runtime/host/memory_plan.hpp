#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <caf/error.hpp>

#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// The memory that this process may use, in bytes: the memory of the machine, or less if its
/// control group (version 1 or 2) has a limit. The largest number if it is not known.
uint64_t memory_of_system();

/// The resident memory of this process, in bytes; 0 if it is not known.
uint64_t resident_memory();

/// Divides the memory of a host. The shares together are more than the whole, since they are rarely
/// full at the same time; `memory_watch` limits the whole.
struct memory_plan {
  /// For an idle agent: its actors, and what they know.
  static constexpr uint64_t agent_bytes = uint64_t{128} << 10;
  /// For the program of an MCP server. Each agent starts its own programs.
  static constexpr uint64_t program_bytes = uint64_t{16} << 20;

  /// `max`: resident bytes of the process; `programs`: the number that each agent starts.
  static memory_plan of(uint64_t max, size_t programs);

  uint64_t pages_bytes; ///< for all pages together (`page_memory`)
  size_t agents;        ///< that may be open at a time, for half of the memory

  /// Lowers the limits of a configuration that do not fit into `max` bytes.
  static config fitted(config x, uint64_t max);
};

/// The limit on resident bytes that a configuration sets.
uint64_t max_memory(const memory_config& x);

/// Checks whether the process uses more memory than it may. May be used from any thread.
class memory_watch {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// The memory is measured at most once in this time, since that costs as much as a small request.
  static constexpr std::chrono::milliseconds between_looks{20};

  /// `resident` gives the bytes that the process uses now.
  memory_watch(uint64_t max, std::function<uint64_t()> resident);

  uint64_t max() const { return max_; }

  /// `overloaded` about `memory` while the process uses more than it may. To be called before
  /// anything that needs memory for long.
  caf::error check() const { return check(std::chrono::steady_clock::now()); }
  caf::error check(time_point now) const;

private:
  const uint64_t max_;
  const std::function<uint64_t()> resident_;
  mutable std::atomic<time_point> next_look_{};
  mutable std::atomic<bool> is_over_{false};
};

} // namespace scratchpage
