#include "scratchpage/tests/bench/policy_figures.hpp"

#include <vector>

#include "scratchpage/tests/bench/stopwatch.hpp"
#include "scratchpage/tests/bench/told_turns.hpp"

namespace scratchpage::bench {

caf::expected<policy_figures> decide_turns(const std::string& file) {
  auto turns = read_told_turns({file});
  if (!turns)
    return turns.error();
  deciding policies;
  std::vector<double> all;
  for (auto measured : {false, true})
    for (const auto& turn : *turns) {
      stopwatch watch;
      policies.decide(turn);
      if (measured)
        all.push_back(watch.ns() / 1'000);
    }
  return policy_figures{quantile(all, 0.5), quantile(all, 0.99)};
}

} // namespace scratchpage::bench
