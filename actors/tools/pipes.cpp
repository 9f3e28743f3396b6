#include "scratchpage/actors/tools/pipes.hpp"

#include <fcntl.h>

#include <array>
#include <utility>

namespace scratchpage {

namespace {

/// A copy of `fd` above the standard three, for the case that this process
/// runs with one of them closed.
unique_fd above_standard(unique_fd fd) {
  return fd.get() > 2 ? std::move(fd) : unique_fd{::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)};
}

} // namespace

pipe_ends make_pipe() {
  std::array<int, 2> fds{-1, -1};
#ifdef __linux__
  if (::pipe2(fds.data(), O_CLOEXEC) != 0)
    return {};
#else
  if (::pipe(fds.data()) != 0)
    return {};
  for (auto fd : fds)
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  return {above_standard(unique_fd{fds[0]}), above_standard(unique_fd{fds[1]})};
}

bool has_both_ends(const pipe_ends& x) {
  return x.read && x.write;
}

void never_block(const unique_fd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

} // namespace scratchpage
