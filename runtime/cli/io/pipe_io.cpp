#include "scratchpage/runtime/cli/io/pipe_io.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <tuple>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace scratchpage {

namespace {

bool is_ready(int fd) {
  pollfd one{fd, POLLOUT, 0};
  return ::poll(&one, 1, 0) > 0;
}

} // namespace

bool line_reader::next(std::string& line) {
  line.clear();
  char c = 0;
  if (!in_.get(c))
    return false;
  ++number_;
  do {
    if (c == '\n')
      break;
    if (line.size() <= most_)
      line += c;
  } while (in_.get(c));
  return true;
}

stop_event::stop_event()
  : event_{::eventfd(0, EFD_CLOEXEC)} {}

stop_event::~stop_event() {
  ::close(event_);
}

void stop_event::set() const {
  uint64_t one = 1;
  std::ignore = ::write(event_, &one, sizeof(one));
}

bool stop_event::await(int fd, short events) const {
  std::array<pollfd, 2> all{{{fd, events, 0}, {event_, POLLIN, 0}}};
  while (::poll(all.data(), all.size(), -1) < 0)
    if (errno != EINTR)
      return false;
  return all[1].revents == 0;
}

interruptible_input::int_type interruptible_input::underflow() {
  ssize_t count = -1;
  do {
    if (!stop_.await(fd_, POLLIN))
      return traits_type::eof();
    count = ::read(fd_, buffer_.data(), buffer_.size());
  } while (count < 0 && (errno == EINTR || errno == EAGAIN));
  if (count <= 0)
    return traits_type::eof();
  setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
  return traits_type::to_int_type(*gptr());
}

/// 1 if there is something to read, else 0: only a read finds out how much there is.
std::streamsize interruptible_input::showmanyc() {
  pollfd of{fd_, POLLIN, 0};
  return ::poll(&of, 1, 0) > 0 ? 1 : 0;
}

async_writer::async_writer(int fd, std::function<void()> on_gone, size_t max_waiting)
  : fd_{fd},
    on_gone_{std::move(on_gone)},
    max_waiting_{max_waiting},
    thread_{[this] { run(); }} {}

async_writer::~async_writer() {
  stop();
}

void async_writer::stop() {
  {
    lock_type lock{guard_};
    ends_ = true;
    changed_.notify_all();
  }
  stop_.set();
  if (thread_.joinable())
    thread_.join();
}

void async_writer::write(std::string text) {
  lock_type lock{guard_};
  if (ends_ || is_gone_)
    return;
  std::string_view rest{text};
  while (bytes_waiting_ == 0 && !rest.empty() && is_ready(fd_))
    if (write_some(rest) == outcome::failed)
      return give_up(lock);
  if (rest.empty())
    return;
  if (rest.size() > max_waiting_ - bytes_waiting_)
    return give_up(lock);
  bytes_waiting_ += rest.size();
  text.erase(0, text.size() - rest.size());
  waiting_.push_back(std::move(text));
  changed_.notify_all();
}

bool async_writer::flush(std::chrono::steady_clock::time_point until) {
  lock_type lock{guard_};
  changed_.wait_until(lock, until, [this] { return bytes_waiting_ == 0 || ends_ || is_gone_; });
  return bytes_waiting_ == 0 && !is_gone_;
}

/// Writes at most PIPE_BUF bytes, which a ready pipe takes whole (POSIX).
async_writer::outcome async_writer::write_some(std::string_view& text) const {
  auto count = ::write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
  if (count < 0)
    return errno == EINTR || errno == EAGAIN ? outcome::not_yet : outcome::failed;
  text.remove_prefix(static_cast<size_t>(count));
  return outcome::written;
}

/// Writes the whole text and waits for the reader. False if that fails or is stopped.
bool async_writer::write_all(std::string_view text) const {
  while (!text.empty())
    if (!stop_.await(fd_, POLLOUT) || write_some(text) == outcome::failed)
      return false;
  return true;
}

void async_writer::give_up(lock_type& lock) {
  auto is_first = !std::exchange(is_gone_, true);
  waiting_.clear();
  changed_.notify_all();
  lock.unlock();
  if (is_first && on_gone_)
    on_gone_();
}

void async_writer::run() {
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
