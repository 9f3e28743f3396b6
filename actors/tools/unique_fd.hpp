#pragma once

#include <utility>

#include <unistd.h>

namespace scratchpage {

/// Owns a file descriptor.
class unique_fd {
public:
  unique_fd() = default;
  explicit unique_fd(int fd)
    : fd_{fd} {}
  unique_fd(unique_fd&& other) noexcept
    : fd_{std::exchange(other.fd_, -1)} {}
  unique_fd& operator=(unique_fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~unique_fd() { reset(); }

  void reset() {
    if (fd_ >= 0)
      ::close(fd_);
    fd_ = -1;
  }

  /// -1 if there is none, which poll() ignores.
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

private:
  int fd_ = -1;
};

/// Both ends of a pipe; neither is inherited by other programs.
struct pipe_ends {
  unique_fd read;
  unique_fd write;
};

} // namespace scratchpage
