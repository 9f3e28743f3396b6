#pragma once

#include <cstddef>
#include <string>

#include <caf/expected.hpp>

namespace scratchpage::bench {

/// How well the index finds the notes that answer a question, with the LoCoMo
/// conversations and their `observation` notes as documents.
struct locomo_figures {
  size_t queries = 0;
  double recall_at_10 = 0; ///< percent of the evidence that is found, mean over questions
};

/// Reads the data set's JSON file and measures. The error says what is wrong with the file.
caf::expected<locomo_figures> locomo_notes(const std::string& file);

} // namespace scratchpage::bench
