#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "scratchpage/messages/time.hpp"

namespace scratchpage::mcp_client {

/// What is left of a patience that began with this object, on the steady clock.
class time_left {
public:
  /// Nothing: it has no end.
  explicit time_left(std::optional<timespan> patience) {
    if (patience)
      until_ = std::chrono::steady_clock::now() + *patience;
  }

  std::optional<timespan> operator()() const {
    if (!until_)
      return std::nullopt;
    return std::max<timespan>(*until_ - std::chrono::steady_clock::now(), timespan{0});
  }

private:
  std::optional<std::chrono::steady_clock::time_point> until_;
};

} // namespace scratchpage::mcp_client
