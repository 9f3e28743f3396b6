#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

/// A progress bar on one line of a terminal, rewritten in place. Switched off, it writes nothing.
class progress_bar {
public:
  /// `now_ms` is the wall clock of the process, in milliseconds; `unit` is what is counted.
  progress_bar(std::ostream& out, terminal_style style, bool on, std::function<double()> now_ms,
    std::string unit = "turns")
    : out_{out},
      style_{style},
      on_{on},
      now_ms_{std::move(now_ms)},
      unit_{std::move(unit)} {}

  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { clear(); }

  /// Shows `done` of `total`; at most ten times a second, the last one always.
  void update(size_t done, size_t total, const std::string& label);

  /// Clears the line, so that something else can be written.
  void clear();

private:
  std::ostream& out_;
  terminal_style style_;
  bool on_;
  bool shown_ = false;
  double last_ms_ = -1e9;
  std::function<double()> now_ms_;
  std::string unit_;
};

/// A progress bar for work that is usually quick: it appears after a second.
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
