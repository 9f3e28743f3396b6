#include "scratchpage/runtime/cli/stoppable_buffer.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace scratchpage {

stoppable_buffer::stoppable_buffer(int fd)
  : fd_{fd},
    stop_{::eventfd(0, EFD_CLOEXEC)} {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

stoppable_buffer::~stoppable_buffer() {
  ::close(stop_);
}

void stoppable_buffer::stop() const {
  uint64_t one = 1;
  std::ignore = ::write(stop_, &one, sizeof(one));
}

/// Whether it can be read or written now, rather than stopped.
bool stoppable_buffer::await(short events) const {
  std::array<pollfd, 2> all{{{fd_, events, 0}, {stop_, POLLIN, 0}}};
  while (::poll(all.data(), all.size(), -1) < 0)
    if (errno != EINTR)
      return false;
  return all[1].revents == 0;
}

stoppable_buffer::int_type stoppable_buffer::underflow() {
  ssize_t count = -1;
  do {
    if (!await(POLLIN))
      return traits_type::eof();
    count = ::read(fd_, buffer_.data(), buffer_.size());
  } while (count < 0 && (errno == EINTR || errno == EAGAIN));
  if (count <= 0)
    return traits_type::eof();
  setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
  return traits_type::to_int_type(*gptr());
}

stoppable_buffer::int_type stoppable_buffer::overflow(int_type c) {
  if (!write_all())
    return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof()))
    sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int stoppable_buffer::sync() {
  return write_all() ? 0 : -1;
}

/// In pieces that a pipe takes at once when it takes anything (POSIX: PIPE_BUF).
bool stoppable_buffer::write_all() {
  for (const char* next = pbase(); next != pptr();) {
    if (!await(POLLOUT))
      return false;
    auto count = ::write(fd_, next, std::min<size_t>(pptr() - next, PIPE_BUF));
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      return false;
    next += std::max<ssize_t>(count, 0);
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return true;
}

} // namespace scratchpage
