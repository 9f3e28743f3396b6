#include "scratchpage/runtime/host/memory_plan.hpp"

#include <algorithm>

#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/host/system_memory.hpp"

namespace scratchpage {

namespace {

constexpr uint64_t usual_most = uint64_t{4} << 30;
/// With less nothing works.
constexpr uint64_t least = uint64_t{1} << 20;

void lower(uint64_t& x, uint64_t to) {
  x = std::min(x, std::max(to, least));
}

} // namespace

uint64_t most_memory(const memory_config& x) {
  return x.max_bytes > 0 ? x.max_bytes : std::min(usual_most, memory_of_system() / 2);
}

memory_plan memory_plan::of(uint64_t most, size_t programs) {
  auto each = agent_bytes + programs * program_bytes;
  auto agents = std::clamp<uint64_t>(most / each, 1, agent_host::most_agents);
  return {most / 4, static_cast<size_t>(agents)};
}

config memory_plan::fitted(config x, uint64_t most) {
  lower(x.http.max_bodies_bytes, most / 8);
  lower(x.http.max_body_bytes, x.http.max_bodies_bytes);
  lower(x.http.max_answers_bytes, most / 8);
  lower(x.http.max_batch_bytes, x.http.max_answers_bytes / 2);
  lower(x.http.max_answer_bytes, x.http.max_batch_bytes);
  lower(x.page.max_bytes, most / 4);
  lower(x.page.max_bytes_per_source, most / 16);
  lower(x.page.log_bytes, most / 16);
  lower(x.page.turn_bytes, most / 16);
  lower(x.page.archive_bytes, most / 16);
  lower(x.episodic.max_memory_bytes, most / 16);
  lower(x.scratchbook.open_bytes, most / 16);
  lower(x.turns.kept_bytes, most / 64);
  lower(x.frontal_cortex.max_bytes, most / 64);
  lower(x.frontal_cortex.max_bytes_per_source, most / 512);
  lower(x.semantic.max_bytes, most / 256);
  return x;
}

} // namespace scratchpage
