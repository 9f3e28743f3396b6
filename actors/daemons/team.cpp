#include "scratchpage/actors/daemons/team.hpp"

#include "scratchpage/actors/daemons/executor.hpp"

namespace scratchpage {

std::vector<observation_filter> wanted_by_team(const latency_config& with) {
  auto result = system_analyzer_state::wanted(with);
  for (const auto& filters :
    {router_state::wanted(), clarifier_state::wanted(), executor_state::wanted(),
      error_handler_state::wanted(), evaluator_state::wanted(), reflector_state::wanted()})
    result.insert(result.end(), filters.begin(), filters.end());
  return result;
}

} // namespace scratchpage
