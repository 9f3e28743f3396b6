#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/actors/tools/spawn_child.hpp"
#include "scratchpage/actors/tools/unique_fd.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// A program that was started, to its end: what is written to it and read from
/// it without ever blocking, the last of its standard error, and how it is ended
/// with all that it started in its group. Used by one thread at a time. Reads
/// the steady clock, for a child lives in real time.
class running_child {
public:
  /// @pre `x.pid` is a child that nobody has waited for.
  running_child(spawned_child x, size_t max_stderr_bytes);

  /// Kills what still runs, without grace.
  ~running_child();
  running_child(const running_child&) = delete;
  running_child& operator=(const running_child&) = delete;

  pid_t pid() const { return pid_; }

  /// To poll; -1 once they are closed.
  int in() const { return in_.get(); }
  int out() const { return out_.get(); }
  int err() const { return err_.get(); }

  /// How many bytes of `text` its standard input took just now; nothing if it
  /// has closed it.
  std::optional<size_t> write_some(std::string_view text);

  /// Adds what it wrote to its standard output to `to`; false at its end.
  bool read_some(std::string& to);

  /// Takes what it wrote to its standard error.
  void read_stderr();

  /// The last of that, at most `max_stderr_bytes`.
  std::string_view stderr_tail() const;

  /// Bytes in its standard input that it has not read, -1 if nobody can tell.
  int unread_input() const;

  /// Its standard input is at its end. Most programs then end by themselves.
  void close_input() { in_.reset(); }

  /// Whether it has ended, within `span`.
  bool has_exited() const;
  bool wait_for_exit(timespan span);

  /// Ends its whole group: SIGTERM, then SIGKILL after the grace. Says how it
  /// ended ("exited with status 1").
  /// @pre it was not called before.
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
