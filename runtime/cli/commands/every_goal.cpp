#include "scratchpage/runtime/cli/commands/every_goal.hpp"

#include <cstddef>
#include <iterator>
#include <utility>

#include "scratchpage/messages/codec.hpp"

namespace scratchpage {

namespace {

/// More than an agent has; a server that goes on and on is not followed for ever.
constexpr size_t most_answers = 1'000;

} // namespace

caf::expected<goal_list> every_goal(agent_client& agent, const std::vector<goal_status>& status) {
  goal_list result;
  std::string cursor;
  for (size_t i = 0; i < most_answers && (i == 0 || !cursor.empty()); ++i) {
    json::object arguments{{"status", to_json(status)}};
    if (!cursor.empty())
      arguments["cursor"] = cursor;
    auto part = agent.call_for<goal_list>("goals_list", std::move(arguments));
    if (!part)
      return part;
    std::move(part->goals.begin(), part->goals.end(), std::back_inserter(result.goals));
    result.total_count = part->total_count;
    cursor = std::move(part->next_cursor);
  }
  return result;
}

} // namespace scratchpage
