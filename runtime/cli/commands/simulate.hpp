#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// `scratchpage simulate`, as it was asked for.
struct simulate_options {
  std::vector<std::filesystem::path> inputs;
  uint64_t seed = 1;
  bool shuffle = false;
  bool real_time = false;
  std::filesystem::path summary; ///< "-": the standard output; empty: none
  std::filesystem::path trace;
  std::filesystem::path report;
  std::filesystem::path config;
  uint32_t window = 0; ///< tokens; 0: no prompts are made
  bool quiet = false;
  bool verbose = false;
};

/// Plays all inputs and writes what was asked for; outputs appear only when all
/// of the run is done.
exit_code simulate(const simulate_options& options, const command_environment& environment);

} // namespace scratchpage
