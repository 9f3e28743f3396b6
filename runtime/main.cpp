#include "scratchpage/runtime/cli/command_line.hpp"

#ifdef SCRATCHPAGE_MIMALLOC
#include <mimalloc.h>
#endif

namespace {

/// Memory that is free goes back to the system at once: a server measures what it has, and refuses
/// changes when that is too much.
void give_memory_back_at_once() {
#ifdef SCRATCHPAGE_MIMALLOC
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
