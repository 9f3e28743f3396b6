#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <istream>
#include <mutex>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>

namespace scratchpage {

/// Reads lines of bounded length from a stream.
class line_reader {
public:
  /// Keeps `most` + 1 bytes of a longer line, which shows that it is too long, and skips the rest.
  line_reader(std::istream& in, size_t most)
    : in_{in},
      most_{most} {}

  /// Reads the next line, without its line end. False at the end of the input.
  bool next(std::string& line);

  /// Whether the input ended because it could not be read.
  bool has_failed() const { return in_.bad(); }

  /// The number of the line that was read last, from 1.
  size_t number() const { return number_; }

  /// Whether more input is available without waiting.
  bool has_more_waiting() { return in_.rdbuf()->in_avail() > 0; }

private:
  std::istream& in_;
  size_t most_;
  size_t number_ = 0;
};

/// Ends waits for descriptors. Thread-safe.
class stop_event {
public:
  stop_event();
  stop_event(const stop_event&) = delete;
  stop_event& operator=(const stop_event&) = delete;
  ~stop_event();

  /// Ends all current and later waits. May be called several times.
  void set() const;

  /// Waits until `fd` is ready for one of these events (poll(2)) or broken. False if `set` was
  /// called.
  bool await(int fd, short events) const;

private:
  const int event_;
};

/// A stream buffer over a descriptor. Another thread can interrupt its reads.
class interruptible_input : public std::streambuf {
public:
  /// The descriptor stays open and belongs to the caller.
  explicit interruptible_input(int fd)
    : fd_{fd} {}

  /// Current and later reads find the end of the input. Thread-safe.
  void stop() const { stop_.set(); }

protected:
  int_type underflow() override;
  std::streamsize showmanyc() override;

private:
  const int fd_;
  stop_event stop_;
  std::array<char, size_t{64} << 10> buffer_;
};

/// Writes to a pipe without waiting for its reader: at once what the pipe has room for, and the
/// rest on a thread of its own. SIGPIPE has to be blocked.
class async_writer {
public:
  /// The descriptor stays open and belongs to the caller. `on_gone` is called once, on the thread
  /// that writes, when nothing more can be written: the reader has gone, or more than `max_waiting`
  /// bytes wait for it.
  async_writer(int fd, std::function<void()> on_gone, size_t max_waiting = size_t{64} << 20);
  async_writer(const async_writer&) = delete;
  async_writer& operator=(const async_writer&) = delete;
  ~async_writer();

  /// Writes the text after all earlier ones. Thread-safe.
  void write(std::string text);

  /// Waits until all is written. False if that takes longer than `until`.
  bool flush(std::chrono::steady_clock::time_point until);

  /// Drops the texts that wait, and writes nothing more.
  void stop();

private:
  using lock_type = std::unique_lock<std::mutex>;

  enum class outcome { written, not_yet, failed };

  outcome write_some(std::string_view& text) const;
  bool write_all(std::string_view text) const;
  void give_up(lock_type& lock);
  void run();

  const int fd_;
  const std::function<void()> on_gone_;
  const size_t max_waiting_;
  stop_event stop_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  size_t bytes_waiting_ = 0; ///< and of the text that the thread writes
  bool ends_ = false;
  bool is_gone_ = false;
  std::thread thread_;
};

} // namespace scratchpage
