#include "scratchpage/persistence/memories/episode_limits.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "scratchpage/messages/component_names.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/messages/observation_size.hpp"

namespace scratchpage {

namespace {

/// A text in JSON is at most six times as long as in memory; the names of members are no more
/// than an observation takes beside its texts.
constexpr size_t most_json_per_byte = 8;

size_t size_of(const observation& x) {
  return std::max(to_json_text(x).size(), memory_of(x));
}

/// Without the input and what the ensemble has said nobody sees what a turn was about and how it
/// ended: 0. Then comes what its tools have said, for those from outside are in no turn: 1.
int rank_of(const observation& x) {
  if (x.type == "user_input"
      || (x.source.kind == source_kind::daemon && is_component(x.source.name)))
    return 0;
  return is_from_tool(x) && !x.source.turn_id.empty() ? 1 : 2;
}

/// What stays first comes first.
struct candidate {
  int rank;
  size_t bytes;
  size_t place;

  auto order() const { return std::tie(rank, bytes, place); }
};

std::vector<candidate> candidates_of(const episode& x) {
  std::vector<candidate> result;
  for (size_t i = 0; i < x.observations.size(); ++i) {
    const auto& one = *x.observations[i];
    result.push_back({rank_of(one), size_of(one), i});
  }
  std::sort(result.begin(), result.end(),
    [](const candidate& a, const candidate& b) { return a.order() < b.order(); });
  return result;
}

} // namespace

size_t memory_of(const episode& x) {
  auto result = sizeof(episode);
  for (const auto& one : x.observations)
    result += memory_of(*one);
  return result;
}

void keep_limits(episode& x) {
  if (memory_of(x) <= episode_limits::bytes / most_json_per_byte)
    return;
  size_t bytes = 0;
  auto is_too_much = false;
  for (const auto& one : candidates_of(x)) {
    bytes += one.bytes;
    is_too_much = is_too_much || bytes > episode_limits::bytes;
    if (is_too_much) {
      x.observations[one.place] = observation_ptr{};
      ++x.left_out;
    }
  }
  std::erase_if(x.observations, [](const observation_ptr& one) { return !one; });
}

} // namespace scratchpage
