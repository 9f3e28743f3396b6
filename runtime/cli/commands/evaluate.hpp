#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

/// The options of `scratchpage evaluate`.
struct evaluate_options {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path config;  ///< empty: the built-in configuration
  std::filesystem::path against; ///< empty: no second configuration
  std::filesystem::path report;  ///< empty: none
  uint64_t seed = 1;
  size_t show = 5; ///< cases of each daemon that were judged otherwise
  bool json = false;
  bool quiet = false;
  std::filesystem::path model_replies; ///< empty: replies of models are not kept
  bool strict = false;                 ///< refuses inputs of which something is left out
};

/// Plays labelled conversations and prints how the decisions compare with the labels.
exit_code evaluate(const evaluate_options& options, const command_environment& environment);

} // namespace scratchpage
