#pragma once

#include <cstdint>

#include "scratchpage/messages/observation_size.hpp"

namespace scratchpage {

/// How many observations one answer may hold, by their bytes. The first always has room, so
/// that who pages gets on.
class answer_room {
public:
  explicit answer_room(uint64_t most_bytes)
    : most_{most_bytes} {}

  bool takes(const observation& x) {
    auto is_first = used_ == 0;
    used_ += memory_of(x);
    return is_first || used_ <= most_;
  }

private:
  uint64_t most_;
  uint64_t used_ = 0;
};

} // namespace scratchpage
