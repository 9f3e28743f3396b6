#pragma once

#include <cstddef>

namespace scratchpage {

/// How much the policies read of texts that anybody may have written, and how much of it they
/// repeat.
struct reading_limits {
  static constexpr size_t input_bytes = 16'384; ///< of an input
  /// Of the content of an observation, and of its tags as many.
  static constexpr size_t observation_bytes = 1'024;
  /// Of all alerts and questions of one source with which an input is compared, and of all of them.
  static constexpr size_t source_bytes = 32'768;
  static constexpr size_t live_bytes = 262'144;
  /// Of the ids of threads and users (turn_rules.hpp); a longer one is nobody's.
  static constexpr size_t id_bytes = 1'024;
  static constexpr size_t reasons = 20;       ///< alerts, and questions, that a decision names
  static constexpr size_t quoted_bytes = 256; ///< of somebody else's text in a decision
};

} // namespace scratchpage
