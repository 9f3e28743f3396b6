#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "scratchpage/actors/tools/running_child.hpp"
#include "scratchpage/messages/time.hpp"

namespace scratchpage {

/// Interrupts another thread's `child_process::exchange`. Any thread may call `cancel` and `stop`;
/// the other functions are for the thread that makes the exchange.
class child_interrupt {
public:
  child_interrupt();

  /// Ends the current exchange, if there is one, as `timed_out`.
  void cancel();

  /// Ends the current exchange and all later ones as `stopped`.
  void stop();

  /// Resets a cancellation that came after the end of the previous exchange.
  void begin_exchange();

  bool is_cancelled() const { return cancelled_; }
  bool is_stopped() const { return stopped_; }

  /// A descriptor for poll(): `cancel` and `stop` make it readable, `drain` resets it.
  int fd() const { return pipe_.read.get(); }
  void drain();

private:
  void wake();

  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> stopped_ = false;
  pipe_ends pipe_;
};

struct child_limits {
  size_t max_line_bytes = 1u << 20;                ///< of an answer, without the line end
  size_t max_stderr_bytes = 4096;                  ///< the last bytes that are kept
  timespan grace = std::chrono::milliseconds{500}; ///< from SIGTERM to SIGKILL
  /// The pause before a start after a failure: `min_backoff` after the first, doubled for each
  /// further one in a row, at most `max_backoff`.
  timespan min_backoff = std::chrono::milliseconds{100};
  timespan max_backoff = std::chrono::seconds{10};
};

enum class child_failure : uint8_t {
  none,
  not_started,   ///< the program could not be started, or the backoff lasts beyond the deadline
  died,          ///< it ended, or closed its output, before it answered
  timed_out,     ///< it did not answer by the deadline, and was ended
  line_too_long, ///< its answer was longer than the limit, and it was ended
  stopped,       ///< `child_interrupt::stop` was called, and it was ended
};

/// How one exchange ended.
struct child_reply {
  child_failure failure = child_failure::none;
  std::string line;       ///< the answer, without the line end; only if there was no failure
  std::string error;      ///< what happened, for a person
  bool untouched = false; ///< it ended without reading the request: sending it again is safe
};

/// When an exchange has to end.
struct child_deadline {
  std::chrono::steady_clock::time_point at;
};

/// A program that answers each line on its standard input with one line on its standard output
/// (contract 6). It is started on first use and after it has ended, in its own process group. Its
/// standard error is read during exchanges, and the last of it is kept.
///
/// The functions block, and are for one thread at a time. The class reads the steady clock, because
/// a program runs in real time.
class child_process {
public:
  child_process(child_command command, child_limits limits,
    std::shared_ptr<child_interrupt> interrupt = std::make_shared<child_interrupt>());

  /// Ends the program and its process group.
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  static child_deadline deadline_in(timespan span);

  /// Sends `line` and waits for the answer.
  /// @pre `line` has no line end; one is added
  child_reply exchange(std::string line, child_deadline by);

  /// Ends a program that does not keep to the protocol: SIGTERM, then SIGKILL after the grace, to
  /// its process group. The next exchange starts it again.
  void end();

  /// The program's process id, unless it is known to have ended.
  std::optional<pid_t> pid() const;

  /// The last of what the program wrote to its standard error.
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
  std::string output_;      ///< output that was read and not yet returned
  std::string last_end_;    ///< how the program last ended, for a person
  std::string last_stderr_; ///< of the program that ended
  uint32_t failures_ = 0;   ///< in a row
  std::chrono::steady_clock::time_point not_before_{};
};

} // namespace scratchpage
