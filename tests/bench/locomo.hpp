#pragma once

#include <cstddef>
#include <string>

#include <caf/expected.hpp>

namespace scratchpage::bench {

/// How well a page finds what answers a question. All LoCoMo conversations are on one page, each
/// with a thread of its own, and the questions do not say of which conversation they are. The time
/// of an observation is that of its session.
struct locomo_recall {
  size_t queries = 0;
  double recall_at_10 = 0; ///< percent of the evidence that is found, mean over the questions
};

/// The documents are the `observation` notes, or the turns of the conversations.
struct locomo_figures {
  locomo_recall notes;
  locomo_recall turns;
};

/// Reads the data set's JSON file and measures. The error says what is wrong with the file.
caf::expected<locomo_figures> measure_locomo(const std::string& file);

} // namespace scratchpage::bench
