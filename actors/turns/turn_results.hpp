#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// The results of the turns that ended last, for `await_turn`.
class turn_results {
public:
  /// Keeps at most `max_results`, of about `max_bytes` in all. The newest result is always kept.
  turn_results(uint64_t max_results, uint64_t max_bytes)
    : max_results_{max_results},
      max_bytes_{max_bytes} {}

  void add(const turn_result& x);

  /// Nothing if it is not kept.
  std::optional<turn_result> find(std::string_view turn_id) const;

  /// Compresses all results. They are found as before, and count for the limit as before.
  void pack();

  /// The memory, about, that the results take now.
  uint64_t bytes() const;

private:
  struct entry {
    std::string turn_id;
    uint64_t bytes;                    ///< approximate memory, when it is not packed
    std::optional<turn_result> result; ///< nothing if it is packed
    std::string packed = {};
  };

  uint64_t max_results_;
  uint64_t max_bytes_;
  std::deque<entry> ended_; // the oldest first
  uint64_t bytes_ = 0;      // approximate memory of these, when none is packed
};

} // namespace scratchpage
