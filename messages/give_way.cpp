#include "scratchpage/messages/give_way.hpp"

#include <cerrno>
#include <cstdint>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace scratchpage {

void give_way_to_others() noexcept {
#ifdef __linux__ // where "the process" 0 is the calling thread, setpriority(2)
  constexpr int a_third = 5;
  if (::getpriority(PRIO_PROCESS, 0) < a_third)
    ::setpriority(PRIO_PROCESS, 0, a_third);
#endif
}

void take_short_turns() noexcept {
#if defined(__linux__) && defined(SYS_sched_setattr)
  struct { // sched_setattr(2); the C library has no name for it
    uint32_t size = 48;
    uint32_t policy = 0; // the usual one
    uint64_t flags = 1;  // not for threads that are started by this one
    int32_t nice = 0;
    uint32_t priority = 0;
    uint64_t runtime = 1'000'000; // of a turn, in ns; a tenth, the least, costs 3 % of additions
    uint64_t deadline = 0;
    uint64_t period = 0;
  } wanted;
  errno = 0;
  wanted.nice = ::getpriority(PRIO_PROCESS, 0);
  if (errno == 0)
    ::syscall(SYS_sched_setattr, 0, &wanted, 0);
#endif
}

} // namespace scratchpage
