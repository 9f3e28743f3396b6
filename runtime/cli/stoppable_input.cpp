#include "scratchpage/runtime/cli/stoppable_input.hpp"

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

} // namespace scratchpage
