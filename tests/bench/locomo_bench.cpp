// Recall at 10 of text queries over the notes of LoCoMo:
//   locomo_bench locomo10.json

#include <cstdio>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/tests/bench/locomo.hpp"

int main(int argc, char** argv) {
  using namespace scratchpage;
  init_messages();
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  auto figures = bench::locomo_notes(argv[1]);
  if (!figures) {
    std::fprintf(stderr, "%s\n", describe(figures.error()).c_str());
    return 2;
  }
  std::printf("queries %zu  recall at 10 %.4f\n", figures->queries, figures->recall_at_10);
}
