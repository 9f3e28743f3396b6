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

#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/json/json_view.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"

namespace scratchpage {

namespace {

/// As it is where it cannot be misread, else in quotes.
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

/// As much at once as a pipe takes when it takes anything (POSIX: PIPE_BUF). False if nobody will
/// ever read it, or it is not wanted any more; a full disk may have room again.
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

} // namespace scratchpage
