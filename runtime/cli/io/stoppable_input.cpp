#include "scratchpage/runtime/cli/io/stoppable_input.hpp"

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace scratchpage {

stoppable_input::int_type stoppable_input::underflow() {
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

/// Whether there is something at all: how much is for a read to find out.
std::streamsize stoppable_input::showmanyc() {
  pollfd of{fd_, POLLIN, 0};
  return ::poll(&of, 1, 0) > 0 ? 1 : 0;
}

} // namespace scratchpage
