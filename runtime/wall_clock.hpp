#pragma once

#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// The one place where the machine's clock is read.
class wall_clock : public clock {
public:
  timestamp now() const override;
};

} // namespace scratchpage
