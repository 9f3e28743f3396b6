#include "scratchpage/runtime/cli/io/stop_event.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <tuple>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace scratchpage {

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

} // namespace scratchpage
