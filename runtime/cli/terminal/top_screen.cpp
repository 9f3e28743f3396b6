#include "scratchpage/runtime/cli/terminal/top_screen.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <utility>

#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

/// Switches to the alternate screen, hides the cursor, and cuts long lines.
constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l\x1b[?7l";
constexpr std::string_view leave = "\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr std::string_view home = "\x1b[H";
constexpr std::string_view rest_of_line = "\x1b[K";
constexpr std::string_view rest_of_screen = "\x1b[J";

sigset_t ends_and_sizes() {
  sigset_t result;
  sigemptyset(&result);
  for (auto one : {SIGINT, SIGTERM, SIGHUP, SIGWINCH})
    sigaddset(&result, one);
  return result;
}

size_t rows_of(int fd) {
  constexpr size_t usual = 24;
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size_t{size.ws_row} : usual;
}

} // namespace

live_screen::live_screen(std::ostream& out, int out_fd, int in_fd)
  : out_{out},
    out_fd_{out_fd},
    in_fd_{in_fd} {
  auto kept = ends_and_sizes();
  pthread_sigmask(SIG_BLOCK, &kept, nullptr);
  signals_ = signalfd(-1, &kept, SFD_NONBLOCK | SFD_CLOEXEC);
  termios keys{};
  if (tcgetattr(in_fd_, &keys) == 0) {
    before_ = keys;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(in_fd_, TCSANOW, &keys);
  }
}

live_screen::~live_screen() {
  if (is_shown_)
    out_ << leave << std::flush;
  if (before_)
    tcsetattr(in_fd_, TCSANOW, &*before_);
  if (signals_ >= 0)
    close(signals_);
}

size_t live_screen::height() const {
  return rows_of(out_fd_);
}

size_t live_screen::width() const {
  return width_of_terminal(out_fd_);
}

void live_screen::show(const std::vector<std::string>& lines) {
  if (!std::exchange(is_shown_, true))
    out_ << enter;
  out_ << home;
  for (size_t i = 0; i < lines.size(); ++i)
    out_ << (i == 0 ? "" : "\r\n") << lines[i] << rest_of_line;
  out_ << rest_of_screen << std::flush;
}

std::optional<std::string> live_screen::wait(timespan timeout) {
  std::array<pollfd, 2> all{pollfd{signals_, POLLIN, 0}, pollfd{in_fd_, POLLIN, 0}};
  auto count = before_ ? all.size() : 1; // keys of a terminal, but not the input of a pipe
  auto most = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  auto still_there = [&](std::string keys) {
    return out_ ? std::optional{std::move(keys)} : std::nullopt;
  };
  if (poll(all.data(), count, static_cast<int>(std::max<int64_t>(most, 0))) <= 0)
    return still_there({});
  signalfd_siginfo signal{};
  while (read(signals_, &signal, sizeof signal) == sizeof signal)
    if (signal.ssi_signo != SIGWINCH)
      return std::nullopt;
  std::array<char, 64> keys{};
  auto got = (all[1].revents & POLLIN) != 0 && before_ ? read(in_fd_, keys.data(), keys.size()) : 0;
  auto is_closed = (all[1].revents & (POLLHUP | POLLERR)) != 0 && got <= 0;
  if (is_closed)
    return std::nullopt;
  return still_there(std::string(keys.data(), static_cast<size_t>(std::max<ssize_t>(got, 0))));
}

} // namespace scratchpage
