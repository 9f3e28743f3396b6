#pragma once

#include <cstddef>
#include <string>

#include <caf/expected.hpp>

namespace scratchpage::bench {

/// How well the index finds the notes that answer a question: the LoCoMo
/// conversations with their `observation` notes as documents.
struct locomo_figures {
  size_t queries = 0;
  double recall_at_10 = 0; ///< found of those that are evidence, mean over questions, percent
};

/// Reads the data set's JSON file. The error says what is wrong with it.
caf::expected<locomo_figures> locomo_notes(const std::string& file);

} // namespace scratchpage::bench
