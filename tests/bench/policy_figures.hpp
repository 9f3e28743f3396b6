#pragma once

#include <string>

#include <caf/expected.hpp>

namespace scratchpage::bench {

/// What all built-in policies and readings of one turn take together, in microseconds of processor
/// time: routing, clarifying, the answer to the question before, wishes, the response, deeds,
/// recovery, promotion, evaluation and reflection.
struct policy_figures {
  double p50_us = 0;
  double p99_us = 0;
};

/// Decides on every turn of a file of conversations, after one round that is not measured. The
/// error says what is wrong with the file.
caf::expected<policy_figures> decide_turns(const std::string& file);

} // namespace scratchpage::bench
