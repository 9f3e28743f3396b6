#include "scratchpage/runtime/cli/commands/agent_look.hpp"

#include <type_traits>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"

namespace scratchpage {

namespace {

constexpr auto most_looked_at = 20;

} // namespace

caf::expected<agent_snapshot> look_at(agent_client& agent, const std::string& id) {
  agent_snapshot result;
  result.agent = id;
  caf::error failed;
  auto keep = [&](auto found, auto& to) {
    if (found)
      to = std::move(*found);
    else
      failed = found.error();
  };
  auto get = [&](const char* operation, auto& to, json::object arguments = {}) {
    if (!failed)
      keep(agent.call_for<std::decay_t<decltype(to)>>(operation, std::move(arguments)), to);
  };
  get("page_stats", result.page);
  get("subscribers_list", result.subscribers);
  if (!failed)
    keep(latest_turns(agent, most_looked_at), result.turns);
  if (!failed)
    keep(every_goal(agent, {goal_status::pending, goal_status::in_progress, goal_status::blocked}),
      result.goals);
  get("list_observations", result.newest, {{"limit", most_looked_at}});
  result.at = wall_clock{}.now();
  if (failed)
    return failed;
  return result;
}

} // namespace scratchpage
