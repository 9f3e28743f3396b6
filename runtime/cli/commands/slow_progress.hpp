#pragma once

#include <cstdint>
#include <string>

#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/progress_bar.hpp"

namespace scratchpage {

/// A progress bar for what is mostly over at once: it shows after a second.
class slow_progress {
public:
  /// `unit` is what is counted, `label` what is done.
  slow_progress(const command_environment& environment, std::string unit, std::string label);

  void operator()(uint64_t done, uint64_t total);

private:
  std::string label_;
  std::function<double()> now_ms_; // empty: nothing is shown
  double begun_ms_ = 0;
  progress_bar bar_;
};

} // namespace scratchpage
