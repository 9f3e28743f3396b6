// Measures turns of an agent with all its daemons, whose trace is stored: one after the other, and
// of eight clients at once. Linked with the allocator of the program, since messages are allocated
// on one thread and freed on another.

#include <cstdio>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/tests/bench/turn_figures.hpp"

int main() {
  scratchpage::init_messages();
  std::printf(
    "| turns a second | one after the other | processor time of a turn | trace entries |\n"
    "|---|---|---|---|\n");
  for (int round = 0; round < 5; ++round) {
    auto x = scratchpage::bench::run_turns(8'000);
    std::printf("| %.0f | %.0f | %.2f ms | %.1f |\n", x.per_second, x.one_by_one,
      x.processor_us / 1'000, x.trace_entries);
    std::fflush(stdout);
  }
}
