#include "scratchpage/runtime/cli/terminal/live_screen.hpp"

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

namespace scratchpage {

namespace {

/// The other screen, no cursor, and what does not fit a line is cut.
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

winsize size_of(int fd) {
  winsize result{};
  if (ioctl(fd, TIOCGWINSZ, &result) != 0 || result.ws_row == 0)
    result = {24, 80, 0, 0};
  return result;
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
  return size_of(out_fd_).ws_row;
}

size_t live_screen::width() const {
  return std::clamp<size_t>(size_of(out_fd_).ws_col, 40, 160);
}

void live_screen::show(const std::vector<std::string>& lines) {
  if (!std::exchange(is_shown_, true))
    out_ << enter;
  out_ << home;
  for (size_t i = 0; i < lines.size(); ++i)
    out_ << (i == 0 ? "" : "\r\n") << lines[i] << rest_of_line;
  out_ << rest_of_screen << std::flush;
}

bool live_screen::wait(timespan patience) {
  std::array<pollfd, 2> all{pollfd{signals_, POLLIN, 0}, pollfd{in_fd_, POLLIN, 0}};
  auto count = before_ ? all.size() : 1; // keys of a terminal, not what somebody pipes
  auto most = std::chrono::duration_cast<std::chrono::milliseconds>(patience).count();
  if (poll(all.data(), count, static_cast<int>(most)) <= 0)
    return static_cast<bool>(out_);
  signalfd_siginfo signal{};
  while (read(signals_, &signal, sizeof signal) == sizeof signal)
    if (signal.ssi_signo != SIGWINCH)
      return false;
  std::array<char, 64> keys{};
  auto got = (all[1].revents & POLLIN) != 0 && before_ ? read(in_fd_, keys.data(), keys.size()) : 0;
  auto end = keys.begin() + std::max<ssize_t>(got, 0);
  auto quits = std::any_of(keys.begin(), end, [](char c) { return c == 'q' || c == 'Q'; });
  return !quits && out_;
}

} // namespace scratchpage
