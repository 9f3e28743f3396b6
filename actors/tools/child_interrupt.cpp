#include "scratchpage/actors/tools/child_interrupt.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include "scratchpage/actors/tools/pipes.hpp"

namespace scratchpage {

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
  // A full pipe wakes as well as one more byte would.
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

} // namespace scratchpage
