#include "scratchpage/actors/tools/running_child.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

namespace scratchpage {

namespace {

using namespace std::chrono;

/// Writing to a child that has died must not end this process: SIGPIPE is
/// blocked on this thread, and taken off it, for as long as this lives.
class no_sigpipe {
public:
  no_sigpipe() {
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &old_);
  }

  no_sigpipe(const no_sigpipe&) = delete;
  no_sigpipe& operator=(const no_sigpipe&) = delete;

  ~no_sigpipe() {
    sigset_t pending;
    ::sigpending(&pending);
    if (!was_pending_ && ::sigismember(&pending, SIGPIPE) == 1) {
      int signal = 0;
      ::sigwait(&pipe_, &signal);
    }
    ::pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }

private:
  sigset_t pipe_;
  sigset_t old_;
  bool was_pending_ = false;
};

bool is_temporary(int error) {
  return error == EAGAIN || error == EINTR;
}

std::string describe_end(int status) {
  if (WIFEXITED(status))
    return "exited with status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended";
}

} // namespace

running_child::running_child(spawned_child x, size_t max_stderr_bytes)
  : pid_{x.pid},
    in_{std::move(x.in)},
    out_{std::move(x.out)},
    err_{std::move(x.err)},
    max_stderr_bytes_{max_stderr_bytes} {}

running_child::~running_child() {
  if (pid_ > 0)
    end(timespan{0});
}

// -- talking ------------------------------------------------------------------------

std::optional<size_t> running_child::write_some(std::string_view text) {
  no_sigpipe guard;
  auto n = ::write(in_.get(), text.data(), text.size());
  if (n >= 0)
    return static_cast<size_t>(n);
  return is_temporary(errno) ? std::optional<size_t>{0} : std::nullopt;
}

bool running_child::read_some(std::string& to) {
  std::array<char, 16384> buffer;
  auto n = ::read(out_.get(), buffer.data(), buffer.size());
  if (n > 0)
    to.append(buffer.data(), static_cast<size_t>(n));
  return n > 0 || (n < 0 && is_temporary(errno));
}

void running_child::read_stderr() {
  std::array<char, 16384> buffer;
  auto n = ::read(err_.get(), buffer.data(), buffer.size());
  if (n > 0)
    err_tail_.append(buffer.data(), static_cast<size_t>(n));
  else if (n == 0 || !is_temporary(errno))
    err_.reset();
  if (err_tail_.size() > 2 * max_stderr_bytes_)
    err_tail_.erase(0, err_tail_.size() - max_stderr_bytes_);
}

std::string_view running_child::stderr_tail() const {
  std::string_view all{err_tail_};
  return all.substr(all.size() - std::min(all.size(), max_stderr_bytes_));
}

int running_child::unread_input() const {
  int result = -1;
  ::ioctl(in_.get(), FIONREAD, &result);
  return result;
}

// -- ending -------------------------------------------------------------------------

/// Leaves a child that has ended for `reap`.
bool running_child::has_exited() const {
  siginfo_t info{};
  auto rc = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return rc != 0 || info.si_pid == pid_;
}

bool running_child::wait_for_exit(timespan span) {
  auto by = steady_clock::now() + span;
  // There is no portable way to wait for a child and a deadline at once.
  for (auto pause = 1; !has_exited(); pause = std::min(2 * pause, 16)) {
    auto left = ceil<milliseconds>(by - steady_clock::now()).count();
    if (left <= 0)
      return false;
    pollfd err{err_.get(), POLLIN, 0};
    if (::poll(&err, 1, static_cast<int>(std::min<int64_t>(pause, left))) > 0)
      read_stderr();
  }
  return true;
}

std::string running_child::end(timespan grace) {
  in_.reset();
  if (!has_exited() && grace > timespan{0}) {
    signal_group(SIGTERM);
    wait_for_exit(grace);
  }
  // Before the child is reaped: until then its group cannot be another's.
  signal_group(SIGKILL);
  auto result = reap();
  out_.reset();
  err_.reset();
  return result;
}

void running_child::signal_group(int signal) const {
  ::kill(-pid_, signal);
}

std::string running_child::reap() {
  int status = 0;
  pid_t rc = 0;
  do {
    rc = ::waitpid(pid_, &status, 0);
  } while (rc < 0 && errno == EINTR);
  while (err_) { // what it wrote last
    auto before = err_tail_.size();
    read_stderr();
    if (err_tail_.size() <= before)
      break;
  }
  return std::exchange(pid_, -1) == rc ? describe_end(status) : "ended";
}

} // namespace scratchpage
