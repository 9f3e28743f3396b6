#include "scratchpage/runtime/execution/wall_clock.hpp"

#include <chrono>

namespace scratchpage {

timestamp wall_clock::now() const {
  return std::chrono::time_point_cast<timespan>(std::chrono::system_clock::now());
}

timespan wall_clock::steady() const {
  return std::chrono::duration_cast<timespan>(std::chrono::steady_clock::now().time_since_epoch());
}

} // namespace scratchpage
