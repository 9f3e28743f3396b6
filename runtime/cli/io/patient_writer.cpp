#include "scratchpage/runtime/cli/io/patient_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace scratchpage {

namespace {

bool is_ready(int fd) {
  pollfd one{fd, POLLOUT, 0};
  return ::poll(&one, 1, 0) > 0;
}

} // namespace

patient_writer::patient_writer(int fd, std::function<void()> on_gone, size_t most_waiting)
  : fd_{fd},
    on_gone_{std::move(on_gone)},
    most_waiting_{most_waiting},
    thread_{[this] { run(); }} {}

patient_writer::~patient_writer() {
  stop();
}

void patient_writer::stop() {
  {
    lock_type lock{guard_};
    ends_ = true;
    changed_.notify_all();
  }
  stop_.set();
  if (thread_.joinable())
    thread_.join();
}

void patient_writer::write(std::string text) {
  lock_type lock{guard_};
  if (ends_ || is_gone_)
    return;
  std::string_view rest{text};
  while (bytes_waiting_ == 0 && !rest.empty() && is_ready(fd_))
    if (write_some(rest) == outcome::failed)
      return give_up(lock);
  if (rest.empty())
    return;
  if (rest.size() > most_waiting_ - bytes_waiting_)
    return give_up(lock);
  bytes_waiting_ += rest.size();
  text.erase(0, text.size() - rest.size());
  waiting_.push_back(std::move(text));
  changed_.notify_all();
}

bool patient_writer::flush(std::chrono::steady_clock::time_point until) {
  lock_type lock{guard_};
  changed_.wait_until(lock, until, [this] { return bytes_waiting_ == 0 || ends_ || is_gone_; });
  return bytes_waiting_ == 0 && !is_gone_;
}

/// As much as a pipe takes at once when it takes anything (POSIX: PIPE_BUF).
patient_writer::outcome patient_writer::write_some(std::string_view& text) const {
  auto count = ::write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
  if (count < 0)
    return errno == EINTR || errno == EAGAIN ? outcome::not_yet : outcome::failed;
  text.remove_prefix(static_cast<size_t>(count));
  return outcome::written;
}

/// Waits for the reader; false if it never will.
bool patient_writer::write_all(std::string_view text) const {
  while (!text.empty())
    if (!stop_.await(fd_, POLLOUT) || write_some(text) == outcome::failed)
      return false;
  return true;
}

void patient_writer::give_up(lock_type& lock) {
  auto is_first = !std::exchange(is_gone_, true);
  waiting_.clear();
  changed_.notify_all();
  lock.unlock();
  if (is_first && on_gone_)
    on_gone_();
}

void patient_writer::run() {
  lock_type lock{guard_};
  while (true) {
    changed_.wait(lock, [this] { return ends_ || is_gone_ || !waiting_.empty(); });
    if (ends_ || is_gone_)
      return;
    auto text = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    auto is_written = write_all(text);
    lock.lock();
    if (ends_)
      return;
    if (!is_written)
      return give_up(lock);
    bytes_waiting_ -= text.size();
    changed_.notify_all();
  }
}

} // namespace scratchpage
