// Measures adds over HTTP: alone; beside a thousand event streams whose filters match none of
// them and one that is never read; and beside viewers of the page.

#include <cstdio>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/tests/bench/http_figures.hpp"

int main() {
  scratchpage::init_messages();
  auto x = scratchpage::bench::adds_over_http();
  std::printf("| adds over HTTP | alone | beside 1 000 idle streams and a stalled one |\n"
              "|---|---|---|\n"
              "| a second | %.0f | %.2f of that |\n"
              "| p99 at half of that rate | %.1f ms | %.1f ms |\n\n"
              "| adds a second beside ten viewers and the export of traces | of those alone |\n"
              "|---|---|\n"
              "| viewers for whom 1 000 events a second are enough | %.2f |\n"
              "| viewers who want everything at once | %.2f |\n",
    x.adds_per_s, x.beside_streams, x.p99_ms, x.p99_beside_ms, x.watched, x.followed);
}
