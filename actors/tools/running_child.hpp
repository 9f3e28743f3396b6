#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scratchpage/messages/time.hpp"

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

/// Both ends of a pipe. Other programs inherit neither.
struct pipe_ends {
  unique_fd read;
  unique_fd write;
};

/// Makes a pipe. Both ends are empty if the process has no descriptors left; `errno` says why.
pipe_ends make_pipe();

bool has_both_ends(const pipe_ends& x);

/// Makes reads and writes of the descriptor return at once.
void never_block(const unique_fd& fd);

/// A program to run.
struct child_command {
  std::vector<std::string> argv;          ///< the first is looked up in PATH
  std::map<std::string, std::string> env; ///< added to the inherited variables
  std::string working_directory;          ///< "": this process's own
  /// The environment variables of this process that it inherits; nothing: all of them.
  std::optional<std::vector<std::string>> inherits = std::nullopt;
};

/// A program that was started, and this process's ends of its standard streams, which never block.
struct spawned_child {
  pid_t pid = -1;    ///< -1: it could not be started
  unique_fd in;      ///< writes to its standard input
  unique_fd out;     ///< reads its standard output
  unique_fd err;     ///< reads its standard error
  std::string error; ///< why it could not be started, for a person
};

/// Starts a program in its own process group, with default signal handling and with no open files
/// but the three standard streams.
spawned_child spawn_child(const child_command& command);

/// A running program: writes to it and reads from it without blocking, keeps the last of its
/// standard error, and ends it together with its process group. For one thread at a time. It reads
/// the steady clock, because a program runs in real time.
class running_child {
public:
  /// @pre `x.pid` is a child that nobody has waited for.
  running_child(spawned_child x, size_t max_stderr_bytes);

  /// Kills the process group at once.
  ~running_child();
  running_child(const running_child&) = delete;
  running_child& operator=(const running_child&) = delete;

  pid_t pid() const { return pid_; }

  /// Descriptors for poll(); -1 once they are closed.
  int in() const { return in_.get(); }
  int out() const { return out_.get(); }
  int err() const { return err_.get(); }

  /// Writes to its standard input. Returns how many bytes it took; nothing if it has closed its
  /// input.
  std::optional<size_t> write_some(std::string_view text);

  /// Appends available standard output to `to`. Returns false at the end of the output.
  bool read_some(std::string& to);

  /// Reads available standard error.
  void read_stderr();

  /// The last of its standard error, at most `max_stderr_bytes`.
  std::string_view stderr_tail() const;

  /// Number of bytes in its standard input that it has not read; -1 if that is unknown.
  int unread_input() const;

  /// Closes its standard input. Most programs then end by themselves.
  void close_input() { in_.reset(); }

  /// Whether it has ended.
  bool has_exited() const;
  /// Waits up to `span` for its end. Returns whether it has ended.
  bool wait_for_exit(timespan span);

  /// Ends its process group: SIGTERM, then SIGKILL after the grace. Returns how the program ended
  /// ("exited with status 1").
  /// @pre it was not called before
  std::string end(timespan grace);

private:
  void signal_group(int signal) const;
  std::string reap();

  pid_t pid_;
  unique_fd in_;
  unique_fd out_;
  unique_fd err_;
  size_t max_stderr_bytes_;
  std::string err_tail_;
};

} // namespace scratchpage
