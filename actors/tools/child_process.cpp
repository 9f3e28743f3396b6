#include "scratchpage/actors/tools/child_process.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace scratchpage {

namespace {

using namespace std::chrono;

/// The one place where the library reads the steady clock.
steady_clock::time_point steady_now() {
  return steady_clock::now();
}

/// As poll() wants it: rounded up, so that it never returns too early.
int poll_milliseconds(steady_clock::duration left) {
  return static_cast<int>(std::clamp<int64_t>(ceil<milliseconds>(left).count(), 0, 60'000));
}

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

std::string describe_end(int status) {
  if (WIFEXITED(status))
    return "exited with status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended";
}

std::string in_ms(timespan span) {
  return std::to_string(ceil<milliseconds>(span).count()) + " ms";
}

} // namespace

/// A request on its way out.
struct child_process::outbox {
  std::string text;
  size_t written = 0;
  bool broken = false; ///< the child closed its input

  bool pending() const { return !broken && written < text.size(); }
};

child_process::child_process(
  child_command command, child_limits limits, std::shared_ptr<child_interrupt> interrupt)
  : command_{std::move(command)},
    limits_{limits},
    interrupt_{std::move(interrupt)} {}

child_process::~child_process() {
  end();
}

child_deadline child_process::deadline_in(timespan span) {
  return {steady_now() + span};
}

std::optional<pid_t> child_process::pid() const {
  return pid_ > 0 ? std::optional{pid_} : std::nullopt;
}

std::string_view child_process::stderr_tail() const {
  std::string_view all{err_tail_};
  return all.substr(all.size() - std::min(all.size(), limits_.max_stderr_bytes));
}

child_reply child_process::exchange(std::string line, child_deadline by) {
  interrupt_->begin_exchange();
  if (pid_ > 0 && has_exited())
    end(); // it died between two exchanges, which is nobody's failure
  if (pid_ <= 0)
    if (auto failed = start(by))
      return std::move(*failed);
  line += '\n';
  outbox out{std::move(line)};
  return converse(out, by);
}

// -- starting -----------------------------------------------------------------------

std::optional<child_reply> child_process::start(child_deadline by) {
  if (auto failed = wait_for_backoff(by))
    return failed;
  if (auto error = launch(); !error.empty()) {
    count_failure();
    return child_reply{child_failure::not_started, {}, std::move(error), true};
  }
  return std::nullopt;
}

std::optional<child_reply> child_process::wait_for_backoff(child_deadline by) {
  if (failures_ > 0 && not_before_ >= by.at)
    return child_reply{child_failure::not_started, {},
      "failed " + std::to_string(failures_) + " times in a row, is started again in "
        + in_ms(not_before_ - steady_now()),
      true};
  for (;;) {
    if (auto interrupted = interruption(by))
      return interrupted;
    auto left = not_before_ - steady_now();
    if (failures_ == 0 || left.count() <= 0)
      return std::nullopt;
    pollfd wake{interrupt_->fd(), POLLIN, 0};
    if (::poll(&wake, 1, poll_milliseconds(left)) > 0)
      interrupt_->drain();
  }
}

/// "" or why it could not be started.
std::string child_process::launch() {
  auto started = spawn_child(command_);
  if (started.pid < 0)
    return std::move(started.error);
  pid_ = started.pid;
  in_ = std::move(started.in);
  out_ = std::move(started.out);
  err_ = std::move(started.err);
  output_.clear();
  err_tail_.clear();
  return {};
}

void child_process::count_failure() {
  auto doublings = std::min(failures_++, 20u);
  not_before_ =
    steady_now() + std::min(limits_.min_backoff * (1 << doublings), limits_.max_backoff);
}

// -- talking ------------------------------------------------------------------------

child_reply child_process::converse(outbox& out, child_deadline by) {
  for (;;) {
    if (auto line = take_line(out))
      return std::move(*line);
    if (auto interrupted = interruption(by))
      return give_up(interrupted->failure, std::move(interrupted->error));
    auto eof = false;
    poll_once(out, by, eof);
    if (!eof)
      continue;
    if (auto line = take_line(out))
      return std::move(*line);
    return on_death(out);
  }
}

std::optional<child_reply> child_process::interruption(child_deadline by) {
  if (interrupt_->is_stopped())
    return child_reply{child_failure::stopped, {}, "is being stopped", false};
  if (interrupt_->is_cancelled() || steady_now() >= by.at)
    return child_reply{child_failure::timed_out, {}, "did not answer in time", false};
  return std::nullopt;
}

void child_process::poll_once(outbox& out, child_deadline by, bool& eof) {
  constexpr short in = POLLIN;
  std::array<pollfd, 4> fds{{
    {out.pending() ? in_.get() : -1, POLLOUT, 0},
    {out_.get(), in, 0},
    {err_.get(), in, 0},
    {interrupt_->fd(), in, 0},
  }};
  if (::poll(fds.data(), fds.size(), poll_milliseconds(by.at - steady_now())) <= 0)
    return;
  if (fds[2].revents != 0)
    read_stderr();
  if (fds[0].revents != 0)
    write_some(out);
  if (fds[1].revents != 0)
    read_output(eof);
  if (fds[3].revents != 0)
    interrupt_->drain();
}

void child_process::write_some(outbox& out) {
  no_sigpipe guard;
  auto n = ::write(in_.get(), out.text.data() + out.written, out.text.size() - out.written);
  if (n > 0)
    out.written += static_cast<size_t>(n);
  else if (errno != EAGAIN && errno != EINTR)
    out.broken = true; // it may still answer; if not, its output ends
}

void child_process::read_output(bool& eof) {
  std::array<char, 16384> buffer;
  auto n = ::read(out_.get(), buffer.data(), buffer.size());
  if (n > 0)
    output_.append(buffer.data(), static_cast<size_t>(n));
  else
    eof = n == 0 || (errno != EAGAIN && errno != EINTR);
}

void child_process::read_stderr() {
  std::array<char, 16384> buffer;
  auto n = ::read(err_.get(), buffer.data(), buffer.size());
  if (n > 0)
    err_tail_.append(buffer.data(), static_cast<size_t>(n));
  else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    err_.reset();
  if (err_tail_.size() > 2 * limits_.max_stderr_bytes)
    err_tail_.erase(0, err_tail_.size() - limits_.max_stderr_bytes);
}

std::optional<child_reply> child_process::take_line(const outbox& out) {
  auto end = output_.find('\n');
  if (std::min(end, output_.size()) > limits_.max_line_bytes)
    return give_up(child_failure::line_too_long,
      "wrote a line of more than " + std::to_string(limits_.max_line_bytes) + " bytes");
  if (end == std::string::npos)
    return std::nullopt;
  child_reply result;
  result.line = output_.substr(0, end);
  if (result.line.ends_with('\r'))
    result.line.pop_back();
  output_.erase(0, end + 1);
  failures_ = 0;
  if (out.written < out.text.size())
    this->end(); // the rest of the request would be taken for the next one
  return result;
}

child_reply child_process::on_death(const outbox& out) {
  int unread = -1;
  ::ioctl(in_.get(), FIONREAD, &unread);
  auto untouched = unread >= 0 && static_cast<size_t>(unread) == out.written;
  wait_for_exit(limits_.grace); // so that its own status is seen, not our signal
  end();
  count_failure();
  return {child_failure::died, {}, last_end_ + " before it answered", untouched};
}

child_reply child_process::give_up(child_failure why, std::string error) {
  end();
  return {why, {}, std::move(error), false};
}

// -- ending -------------------------------------------------------------------------

void child_process::end() {
  if (pid_ > 0) {
    in_.reset();
    if (!has_exited()) {
      signal_group(SIGTERM);
      wait_for_exit(limits_.grace);
    }
    // Before the child is reaped: until then its group cannot be another's.
    signal_group(SIGKILL);
    reap();
  }
  in_.reset();
  out_.reset();
  err_.reset();
}

/// Leaves a child that has ended for `reap`.
bool child_process::has_exited() const {
  siginfo_t info{};
  auto rc = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return rc != 0 || info.si_pid == pid_;
}

bool child_process::wait_for_exit(timespan span) {
  auto by = steady_now() + span;
  // There is no portable way to wait for a child and a deadline at once.
  for (auto pause = 1; !has_exited(); pause = std::min(2 * pause, 16)) {
    auto left = by - steady_now();
    if (left.count() <= 0)
      return false;
    pollfd err{err_.get(), POLLIN, 0};
    if (::poll(&err, 1, std::min(pause, poll_milliseconds(left))) > 0)
      read_stderr();
  }
  return true;
}

void child_process::signal_group(int signal) const {
  ::kill(-pid_, signal);
}

void child_process::reap() {
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
  last_end_ = rc == pid_ ? describe_end(status) : "ended";
  pid_ = -1;
}

} // namespace scratchpage
