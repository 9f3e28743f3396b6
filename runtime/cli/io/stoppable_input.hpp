#pragma once

#include <array>
#include <streambuf>

#include "scratchpage/runtime/cli/io/stop_event.hpp"

namespace scratchpage {

/// What a stream reads from when it must not wait for ever for who is at the other end
/// of a pipe.
class stoppable_input : public std::streambuf {
public:
  /// The descriptor is the caller's.
  explicit stoppable_input(int fd)
    : fd_{fd} {}

  /// From here on nothing is waited for: reading finds the end. From any thread.
  void stop() const { stop_.set(); }

protected:
  int_type underflow() override;
  std::streamsize showmanyc() override;

private:
  const int fd_;
  stop_event stop_;
  std::array<char, size_t{64} << 10> buffer_;
};

} // namespace scratchpage
