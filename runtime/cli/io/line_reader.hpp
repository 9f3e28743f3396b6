#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace scratchpage {

/// Reads lines of a bounded length from whatever comes in, however slowly.
class line_reader {
public:
  /// Of a longer line `most` + 1 bytes are kept and the rest is skipped.
  line_reader(std::istream& in, size_t most)
    : in_{in},
      most_{most} {}

  /// The next line without its end; false if there is none.
  bool next(std::string& line);

  /// Whether it ended because the input cannot be read.
  bool has_failed() const { return in_.bad(); }

  /// Of the line that was read last, from 1.
  size_t number() const { return number_; }

  /// Whether reading on would give something at once.
  bool has_more_waiting() { return in_.rdbuf()->in_avail() > 0; }

private:
  std::istream& in_;
  size_t most_;
  size_t number_ = 0;
};

} // namespace scratchpage
