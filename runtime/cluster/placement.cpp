#include "scratchpage/runtime/cluster/placement.hpp"

#include <cmath>
#include <cstdint>

#include "scratchpage/persistence/store/checksum.hpp"

namespace scratchpage::cluster {

namespace {

/// A number in (0, 1) that depends on both names alone.
double drawn_for(std::string_view agent_id, std::string_view node) {
  running_checksum sum;
  sum.add(agent_id);
  sum.add(std::string_view{"\0", 1});
  sum.add(node);
  constexpr auto unused_bits = 11; // a double has 53 significant ones
  constexpr auto all = static_cast<double>(uint64_t{1} << 53);
  return (static_cast<double>(sum.value() >> unused_bits) + 0.5) / all;
}

double score_of(std::string_view agent_id, const placeable_node& x) {
  return x.capacity / -std::log(drawn_for(agent_id, x.name));
}

} // namespace

std::optional<size_t> place_of(std::string_view agent_id, std::span<const placeable_node> nodes) {
  std::optional<size_t> best;
  double highest = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].capacity <= 0)
      continue;
    auto score = score_of(agent_id, nodes[i]);
    auto is_better =
      score > highest || (score == highest && best && nodes[i].name < nodes[*best].name);
    if (!best || is_better) {
      best = i;
      highest = score;
    }
  }
  return best;
}

} // namespace scratchpage::cluster
