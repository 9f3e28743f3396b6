#pragma once

#include <chrono>

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The clocks of the machine. Code that needs a time takes a `clock`.
class wall_clock : public clock {
public:
  timestamp now() const override {
    return std::chrono::time_point_cast<timespan>(std::chrono::system_clock::now());
  }

  timespan steady() const override {
    return std::chrono::duration_cast<timespan>(
      std::chrono::steady_clock::now().time_since_epoch());
  }
};

} // namespace scratchpage
