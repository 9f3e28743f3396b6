#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/simulation/player.hpp"

namespace scratchpage {

/// Returns the result with personal data masked in all texts, for a file that leaves the process.
/// The trace stays as it is: the player has masked it.
play_result masked(play_result x, const pii_masker& masker);

/// The options of `scratchpage simulate`.
struct simulate_options {
  std::vector<std::filesystem::path> inputs;
  uint64_t seed = 1;
  bool shuffle = false;
  bool real_time = false;
  std::filesystem::path summary; ///< "-": the standard output; empty: none
  std::filesystem::path trace;
  std::filesystem::path report;
  std::filesystem::path decisions;
  std::filesystem::path config;
  uint32_t window = 0;                 ///< tokens; 0: no prompts are made
  std::filesystem::path model_replies; ///< empty: replies of models are not kept
  bool strict = false;                 ///< refuses inputs of which something is left out
  bool quiet = false;
  bool verbose = false;
};

/// Plays all inputs and writes the outputs, which appear only when the whole run has finished.
exit_code simulate(const simulate_options& options, const command_environment& environment);

} // namespace scratchpage
