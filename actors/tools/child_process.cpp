#include "scratchpage/actors/tools/child_process.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "scratchpage/actors/tools/running_child.hpp"

namespace scratchpage {

namespace {

using namespace std::chrono;

/// Programs run in real time.
steady_clock::time_point steady_now() {
  return steady_clock::now();
}

/// A duration for poll(), rounded up, so that it never returns too early.
int poll_milliseconds(steady_clock::duration left) {
  return static_cast<int>(std::clamp<int64_t>(ceil<milliseconds>(left).count(), 0, 60'000));
}

std::string in_ms(timespan span) {
  return std::to_string(ceil<milliseconds>(span).count()) + " ms";
}

} // namespace

child_interrupt::child_interrupt()
  : pipe_{make_pipe()} {
  if (!has_both_ends(pipe_))
    throw std::system_error(errno, std::system_category(), "a pipe for interrupting a child");
  never_block(pipe_.read);
  never_block(pipe_.write);
}

void child_interrupt::cancel() {
  cancelled_ = true;
  wake();
}

void child_interrupt::stop() {
  stopped_ = true;
  wake();
}

void child_interrupt::wake() {
  // If the pipe is full, it is readable anyway.
  [[maybe_unused]] auto n = ::write(pipe_.write.get(), "x", 1);
}

void child_interrupt::begin_exchange() {
  cancelled_ = false;
  drain();
}

void child_interrupt::drain() {
  std::array<char, 64> buffer;
  while (::read(pipe_.read.get(), buffer.data(), buffer.size()) > 0) {
  }
}

/// A request that is being written.
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
  return child_ ? std::optional{child_->pid()} : std::nullopt;
}

std::string_view child_process::stderr_tail() const {
  return child_ ? child_->stderr_tail() : std::string_view{last_stderr_};
}

child_reply child_process::exchange(std::string line, child_deadline by) {
  interrupt_->begin_exchange();
  if (child_ && child_->has_exited())
    end(); // it ended between two exchanges, which does not count as a failure
  if (!child_)
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

/// Starts the program. Returns "" or why it could not be started.
std::string child_process::launch() {
  auto started = spawn_child(command_);
  if (started.pid < 0)
    return std::move(started.error);
  child_.emplace(std::move(started), limits_.max_stderr_bytes);
  output_.clear();
  last_stderr_.clear();
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
    {out.pending() ? child_->in() : -1, POLLOUT, 0},
    {child_->out(), in, 0},
    {child_->err(), in, 0},
    {interrupt_->fd(), in, 0},
  }};
  if (::poll(fds.data(), fds.size(), poll_milliseconds(by.at - steady_now())) <= 0)
    return;
  if (fds[2].revents != 0)
    child_->read_stderr();
  if (fds[0].revents != 0)
    write_some(out);
  if (fds[1].revents != 0)
    eof = !child_->read_some(output_);
  if (fds[3].revents != 0)
    interrupt_->drain();
}

void child_process::write_some(outbox& out) {
  if (auto n = child_->write_some(std::string_view{out.text}.substr(out.written)))
    out.written += *n;
  else
    out.broken = true; // it may still answer
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
    this->end(); // it would read the rest of the request as the next one
  return result;
}

child_reply child_process::on_death(const outbox& out) {
  auto unread = child_->unread_input();
  auto untouched = unread >= 0 && static_cast<size_t>(unread) == out.written;
  child_->wait_for_exit(limits_.grace); // to report its own exit status and not the signal
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
  if (!child_)
    return;
  last_end_ = child_->end(limits_.grace);
  last_stderr_ = child_->stderr_tail();
  child_.reset();
}

} // namespace scratchpage
