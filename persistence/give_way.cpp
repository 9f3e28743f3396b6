#include "scratchpage/persistence/give_way.hpp"

#include <sys/resource.h>

namespace scratchpage {

void give_way_to_others() noexcept {
#ifdef __linux__ // where "the process" 0 is the calling thread, setpriority(2)
  constexpr int a_third = 5;
  if (::getpriority(PRIO_PROCESS, 0) < a_third)
    ::setpriority(PRIO_PROCESS, 0, a_third);
#endif
}

} // namespace scratchpage
