#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

/// A line that shows how far the work is, rewritten in place. Only for a
/// terminal; switched off it writes nothing.
class progress_bar {
public:
  /// `now_ms` is the wall clock of the process, in milliseconds; `unit` is what
  /// is counted.
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

  /// Wipes the line, so that something else can be written.
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

} // namespace scratchpage
