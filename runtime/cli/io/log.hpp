#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/runtime/cli/io/pipe_io.hpp"
#include "scratchpage/runtime/net/http/server.hpp"
#include "scratchpage/runtime/telemetry/token_bucket.hpp"

namespace scratchpage {

/// How much a log keeps for a slow reader.
struct log_limits {
  static constexpr size_t waiting_bytes = 1'048'576; ///< of lines that wait to be written
};

/// Writes the lines of a log in order, on a thread of its own, so that adding a line never waits
/// for the reader of the log. If the queue is full, lines are dropped and counted until half of its
/// room is free; then a separate line reports the count. Thread-safe.
class log_queue {
public:
  /// Writes a line and may block. False if nothing can be written any more.
  using writing = std::function<bool(std::string_view line)>;

  /// Makes the line that reports how many lines were dropped.
  using telling = std::function<std::string(uint64_t dropped)>;

  log_queue(writing write, telling tell_dropped, size_t max_bytes = log_limits::waiting_bytes);
  log_queue(const log_queue&) = delete;
  log_queue& operator=(const log_queue&) = delete;
  ~log_queue(); ///< calls `end`

  void add(std::string line);

  /// Waits until all earlier lines are written. False if that takes longer than `within`.
  bool flush(timespan within);

  /// Drops the lines that wait. Waits for the line that is being written.
  void end();

private:
  using lock_type = std::unique_lock<std::mutex>;

  bool has_room_for(const std::string& line) const;
  void push(std::string line);
  void tell_dropped();
  void run();

  const writing write_;
  const telling line_about_dropped_;
  const size_t max_bytes_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  size_t bytes_ = 0; ///< of the lines that wait and of the one that is being written
  uint64_t dropped_ = 0;
  bool ends_ = false;
  bool is_gone_ = false; ///< nothing can be written any more
  std::thread thread_;
};

/// How important an event is, the most important level last.
enum class log_level : uint8_t { debug, info, warning, error };

/// The format of a log's lines: `text` for people, `json` for programs.
enum class log_format : uint8_t { text, json };

template <>
inline constexpr std::array<std::string_view, 4> enum_names<log_level>{
  "debug", "info", "warning", "error"};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<log_format>{"text", "json"};

/// The log of a server: one line for each event, with time, level, name and fields. Fields have
/// neither secrets nor texts of observations. Thread-safe. Writing never waits for the reader of
/// the log: if that is too slow, lines are dropped and counted (`log_queue`).
class log {
public:
  /// `fd` is the descriptor of `to`, if its reader may be slow. SIGPIPE has to be blocked then.
  log(std::ostream& to, log_format format, log_level least, const clock& clock, int fd = -1);
  log(const log&) = delete;
  log& operator=(const log&) = delete;
  ~log(); ///< calls `end` with one second

  bool tells(log_level x) const { return x >= least_; }

  /// `event` is a constant name such as "serving"; `fields` are short scalars.
  void write(log_level how, std::string_view event, const json::object& fields = {});

  /// Waits until all earlier lines are written. False if that takes longer than `within`.
  bool flush(timespan within) { return lines_.flush(within); }

  /// Writes earlier lines for at most `within`, then drops the rest and all later lines.
  void end(timespan within);

private:
  std::string line_of(log_level how, std::string_view event, const json::object& fields) const;

  const log_format format_;
  const log_level least_;
  const clock& clock_;
  stop_event stop_;
  log_queue lines_;
};

/// Logs answered requests: successful ones at level debug, refused and failed ones above. Refused
/// and failed ones have a bounded rate, so that a flood does not fill the log. Thread-safe.
class request_log {
public:
  /// Refused and failed requests that are logged per second. The others are only counted.
  static constexpr uint64_t max_refused_per_second = 20;

  using time_point = telemetry::token_bucket::time_point;

  explicit request_log(log& to);

  void tell(const http::access_log_entry& x) { tell(x, std::chrono::steady_clock::now()); }
  void tell(const http::access_log_entry& x, time_point now);

private:
  /// Whether one more refused or failed request may be logged.
  bool may_tell(time_point now);

  log& to_;
  std::mutex guard_;
  telemetry::token_bucket allowed_;
  uint64_t left_out_ = 0;
};

} // namespace scratchpage
