#pragma once

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The one place where the machine's clocks are read.
class wall_clock : public clock {
public:
  timestamp now() const override;
  timespan steady() const override;
};

} // namespace scratchpage
