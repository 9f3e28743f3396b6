#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// How the beginning of an epoch is written down.
struct kept_epoch {
  uint64_t epoch = 0;
  uint64_t after = 0;   ///< the last sequence that was there
  uint64_t numbers = 0; ///< the last number of an observation that anybody may have seen
  uint64_t unkept = 0;  ///< changes of it that may be seen before they are kept

  static constexpr auto fields(auto all) {
    using self = kept_epoch;
    return all(required("epoch", &self::epoch), required("after", &self::after),
      optional("numbers", &self::numbers), optional("unkept", &self::unkept));
  }
};

/// The highest number that an observation may have been given, if the journal
/// tells of `last_number`: each change that is lost adds one at most.
inline uint64_t last_given(uint64_t last_number, const std::vector<kept_epoch>& known) {
  auto is_earlier = [](const kept_epoch& a, const kept_epoch& b) { return a.epoch < b.epoch; };
  auto last = std::max_element(known.begin(), known.end(), is_earlier);
  return last == known.end() ? last_number : std::max(last_number + last->unkept, last->numbers);
}

} // namespace scratchpage
