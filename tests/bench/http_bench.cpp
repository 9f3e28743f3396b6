// Adds over HTTP, alone and beside a thousand event streams to which they do not matter and
// one that is never read.

#include <cstdio>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/tests/bench/http_figures.hpp"

int main() {
  scratchpage::init_messages();
  auto x = scratchpage::bench::adds_over_http();
  std::printf("| adds over HTTP | alone | beside 1 000 idle streams and a stalled one |\n"
              "|---|---|---|\n"
              "| a second | %.0f | %.2f of that |\n"
              "| p99 at half of that rate | %.1f ms | %.1f ms |\n",
    x.adds_per_s, x.beside_streams, x.p99_ms, x.p99_beside_ms);
}
