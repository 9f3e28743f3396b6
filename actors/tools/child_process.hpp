#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/actors/tools/child_interrupt.hpp"
#include "scratchpage/actors/tools/running_child.hpp"
#include "scratchpage/actors/tools/spawn_child.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

struct child_limits {
  size_t max_line_bytes = 1u << 20;                ///< of an answer, without its end
  size_t max_stderr_bytes = 4096;                  ///< how much of its end is kept
  timespan grace = std::chrono::milliseconds{500}; ///< from SIGTERM to SIGKILL
  /// Before the n-th start in a row that followed a failure: the first, doubled
  /// each time, at most the second.
  timespan min_backoff = std::chrono::milliseconds{100};
  timespan max_backoff = std::chrono::seconds{10};
};

enum class child_failure : uint8_t {
  none,
  not_started,   ///< the program could not be run, or it is too soon to try again
  died,          ///< it ended, or closed its output, before it answered
  timed_out,     ///< no answer by the deadline; it was killed
  line_too_long, ///< its line passed the bound; it was killed
  stopped,       ///< `child_interrupt::stop` was called; it was killed
};

/// How one exchange ended.
struct child_reply {
  child_failure failure = child_failure::none;
  std::string line;       ///< without its end; only if there was no failure
  std::string error;      ///< what happened, for a person
  bool untouched = false; ///< it died without reading the request: sending it again is safe
};

/// When an exchange must be over.
struct child_deadline {
  std::chrono::steady_clock::time_point at;
};

/// A program that reads one line on its standard input and answers with one
/// line on its standard output, over and over (contract 6). Started on first
/// use, in a process group of its own, and again after it has died. Its
/// standard error is drained during exchanges; the end of it is kept.
///
/// Blocks; used by one thread at a time. A child lives in real time: this class
/// reads the steady clock.
class child_process {
public:
  child_process(child_command command, child_limits limits,
    std::shared_ptr<child_interrupt> interrupt = std::make_shared<child_interrupt>());

  /// Ends the child and whatever it started in its group.
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  static child_deadline deadline_in(timespan span);

  /// Sends `line` and waits for the answer.
  /// @pre `line` has no line end in it; one is added.
  child_reply exchange(std::string line, child_deadline by);

  /// Ends the child: SIGTERM, then SIGKILL after the grace, to its whole group.
  /// The next exchange starts another. For a child that does not keep to the
  /// protocol.
  void end();

  /// The child's process id, if it runs as far as is known.
  std::optional<pid_t> pid() const;

  /// The last of what the child wrote to its standard error.
  std::string_view stderr_tail() const;

private:
  struct outbox;

  std::optional<child_reply> start(child_deadline by);
  std::optional<child_reply> wait_for_backoff(child_deadline by);
  std::string launch();
  child_reply converse(outbox& out, child_deadline by);
  std::optional<child_reply> interruption(child_deadline by);
  void poll_once(outbox& out, child_deadline by, bool& eof);
  void write_some(outbox& out);
  std::optional<child_reply> take_line(const outbox& out);
  child_reply on_death(const outbox& out);
  child_reply give_up(child_failure why, std::string error);
  void count_failure();

  child_command command_;
  child_limits limits_;
  std::shared_ptr<child_interrupt> interrupt_;
  std::optional<running_child> child_;
  std::string output_;      ///< read and not yet taken
  std::string last_end_;    ///< how it ended, for a person
  std::string last_stderr_; ///< of the one that ended
  uint32_t failures_ = 0;   ///< in a row
  std::chrono::steady_clock::time_point not_before_{};
};

} // namespace scratchpage
