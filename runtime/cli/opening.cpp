#include "scratchpage/runtime/cli/opening.hpp"

#include "scratchpage/runtime/cli/command_answer.hpp"

namespace scratchpage {

std::unique_ptr<open_agent> open_or_complain(
  const agent_options& options, if_missing what, const command_environment& environment) {
  auto opened = open_agent::open(options, what);
  if (!opened) {
    complain_of_input(environment, opened.error());
    return nullptr;
  }
  if (const auto& damage = (*opened)->damage(); !damage.empty())
    warn(environment, "the journal's end was damaged and is cut off: " + damage);
  return std::move(*opened);
}

void settle(open_agent& agent, const command_environment& environment) {
  if (agent.settle())
    warn(environment, "it is stored, but the daemons were not done with it in ten seconds; what "
                      "deserves a goal is offered again at the next command");
}

} // namespace scratchpage
