#include "scratchpage/runtime/cli/io/log.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <ostream>
#include <string>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"

namespace scratchpage {

// -- queue ----------------------------------------------------------------------------

log_queue::log_queue(writing write, telling tell_dropped, size_t max_bytes)
  : write_{std::move(write)},
    line_about_dropped_{std::move(tell_dropped)},
    max_bytes_{max_bytes},
    thread_{require_thread([this] { run(); })} {}

log_queue::~log_queue() {
  end();
}

void log_queue::end() {
  {
    lock_type lock{guard_};
    ends_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable())
    thread_.join();
}

void log_queue::add(std::string line) {
  lock_type lock{guard_};
  if (ends_ || is_gone_)
    return;
  if (!has_room_for(line)) {
    ++dropped_;
    return;
  }
  tell_dropped();
  push(std::move(line));
  changed_.notify_all();
}

bool log_queue::flush(timespan within) {
  lock_type lock{guard_};
  changed_.wait_for(lock, within, [this] { return bytes_ == 0 || ends_ || is_gone_; });
  return bytes_ == 0 && !is_gone_;
}

/// After a drop, lines are taken only when half of the room is free: otherwise a line about dropped
/// ones would be needed again and again.
bool log_queue::has_room_for(const std::string& line) const {
  return bytes_ + line.size() <= (dropped_ > 0 ? max_bytes_ / 2 : max_bytes_);
}

void log_queue::push(std::string line) {
  bytes_ += line.size();
  waiting_.push_back(std::move(line));
}

void log_queue::tell_dropped() {
  if (auto count = std::exchange(dropped_, 0); count > 0)
    push(line_about_dropped_(count));
}

void log_queue::run() {
  lock_type lock{guard_};
  while (!is_gone_) {
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (ends_)
      return;
    auto line = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    auto is_written = write_(line);
    lock.lock();
    bytes_ -= line.size();
    is_gone_ = !is_written;
    if (waiting_.empty() && !is_gone_)
      tell_dropped();
    changed_.notify_all();
  }
  waiting_.clear();
}

// -- log ------------------------------------------------------------------------------

namespace {

/// The value of a field, in quotes unless it is plain.
std::string shown(const json::value& x) {
  if (!x.is_string())
    return to_safe_text(x);
  std::string_view text{x.get_string().data(), x.get_string().size()};
  auto is_plain = !text.empty() && text.find_first_of(" =\"\\") == std::string_view::npos;
  auto quoted = to_safe_text(x);
  auto is_escaped = quoted.size() != text.size() + 2;
  return is_plain && !is_escaped ? std::string{text} : quoted;
}

bool write_to(std::ostream& to, std::string_view line) {
  to << line << std::flush;
  return static_cast<bool>(to);
}

/// Writes pieces of PIPE_BUF bytes, which a ready pipe takes whole (POSIX). False if the reader has
/// gone or `stop` is set. Other errors count as written: a full disk may have room again later.
bool write_to(int fd, std::string_view line, const stop_event& stop) {
  while (!line.empty()) {
    if (!stop.await(fd, POLLOUT))
      return false;
    auto count = ::write(fd, line.data(), std::min<size_t>(line.size(), PIPE_BUF));
    if (count >= 0)
      line.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR && errno != EAGAIN)
      return errno != EPIPE && errno != EBADF;
  }
  return true;
}

constexpr auto per_second = static_cast<double>(request_log::max_refused_per_second);

/// The level of an answer with that status. 503 is only a warning: the host itself logs a storage
/// that fails.
log_level level_of(uint32_t status) {
  if (status >= 500)
    return status == 503 ? log_level::warning : log_level::error;
  auto is_refusal = status == 401 || status == 403 || status == 429;
  return is_refusal ? log_level::warning : log_level::debug;
}

} // namespace

log::log(std::ostream& to, log_format format, log_level least, const clock& clock, int fd)
  : format_{format},
    least_{least},
    clock_{clock},
    lines_{[this, &to, fd](std::string_view line) {
             return fd < 0 ? write_to(to, line) : write_to(fd, line, stop_);
           },
      [this](uint64_t dropped) {
        return line_of(log_level::error, "log_lines_dropped", {{"count", dropped}});
      }} {}

log::~log() {
  end(std::chrono::seconds{1});
}

void log::write(log_level how, std::string_view event, const json::object& fields) {
  if (tells(how))
    lines_.add(line_of(how, event, fields));
}

void log::end(timespan within) {
  lines_.flush(within);
  stop_.set();
  lines_.end();
}

std::string log::line_of(log_level how, std::string_view event, const json::object& fields) const {
  std::string line;
  auto at = to_rfc3339(clock_.now());
  if (format_ == log_format::json) {
    json::object all{{"time", at}, {"level", view(name_of(how))}, {"event", view(event)}};
    for (const auto& [name, value] : fields)
      all[name] = value;
    line = to_safe_text(json::value(std::move(all)));
  } else {
    line.append(at).append(" ").append(name_of(how)).append(" ").append(event);
    for (const auto& [name, value] : fields)
      line.append(" ").append(name.data(), name.size()).append("=").append(shown(value));
  }
  line += '\n';
  return line;
}

request_log::request_log(log& to)
  : to_{to},
    allowed_{per_second, per_second, std::chrono::steady_clock::now()} {}

void request_log::tell(const http::access_log_entry& x, time_point now) {
  auto how = level_of(x.status);
  if (!to_.tells(how) || (how >= log_level::warning && !may_tell(now)))
    return;
  constexpr size_t most = 200;
  to_.write(how, "request",
    {{"status", x.status}, {"method", x.method}, {"path", utf8::shortened(x.path, most)},
      {"ms", in_milliseconds(x.took)}, {"peer", x.peer}});
}

bool request_log::may_tell(time_point now) {
  uint64_t left_out = 0;
  {
    std::lock_guard lock{guard_};
    if (!allowed_.take(now)) {
      ++left_out_;
      return false;
    }
    left_out = std::exchange(left_out_, 0);
  }
  if (left_out > 0)
    to_.write(log_level::warning, "requests_not_told", {{"count", left_out}});
  return true;
}

} // namespace scratchpage
