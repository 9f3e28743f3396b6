#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/runtime/host/system_memory.hpp"

#ifdef SCRATCHPAGE_MIMALLOC
#include <mimalloc.h>
#endif

namespace {

/// Below that, giving back what is free counts for more than speed: a server refuses changes when
/// it has too much memory.
[[maybe_unused]] constexpr uint64_t little_memory = uint64_t{2} << 30;

/// Memory that is free goes back to the system at once where there is little of it. Elsewhere it
/// goes back after a while, which spares a page fault with most requests.
void give_memory_back_at_once() {
#ifdef SCRATCHPAGE_MIMALLOC
  if (scratchpage::memory_of_system() > little_memory)
    return;
#if MI_MALLOC_VERSION < 210
  mi_option_set(mi_option_decommit_delay, 0);
#else
  mi_option_set(mi_option_purge_delay, 0);
#endif
#endif
}

} // namespace

int main(int argc, char** argv) {
  give_memory_back_at_once();
  return scratchpage::run_command_line(argc, argv);
}
