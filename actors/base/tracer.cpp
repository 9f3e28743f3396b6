#include "scratchpage/actors/base/tracer.hpp"

#include "scratchpage/actors/base/keepsakes.hpp"

namespace scratchpage {

work_count agent_context::work() const {
  return kept ? kept->work() : work_count{};
}

bool agent_context::may_wake() const {
  return kept && !kept->is_dropped();
}

std::shared_ptr<span_id> tracer::counter_in(const agent_context& agent, uint32_t number) {
  auto first = static_cast<span_id>(number) << 32;
  return agent.kept ? agent.kept->counter(number, first) : std::make_shared<span_id>(first);
}

} // namespace scratchpage
