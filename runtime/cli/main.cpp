#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"

#ifdef SCRATCHPAGE_MIMALLOC
#include <mimalloc.h>
#endif

namespace {

/// Systems with less memory get freed memory back at once, which counts for more than speed there:
/// a server refuses changes when it uses too much memory.
[[maybe_unused]] constexpr uint64_t little_memory = uint64_t{2} << 30;

/// Makes the allocator return freed memory to the system at once if the system has little of it.
/// Otherwise it is returned after a delay, which saves a page fault in most requests.
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
