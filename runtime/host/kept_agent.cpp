#include "scratchpage/runtime/host/kept_agent.hpp"

#include <utility>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/persistence/memories/kept_episodes.hpp"
#include "scratchpage/persistence/memories/kept_facts.hpp"
#include "scratchpage/persistence/memories/kept_goals.hpp"
#include "scratchpage/persistence/store/kept_counter.hpp"

namespace scratchpage {

caf::expected<kept_agent> recover_agent(std::shared_ptr<store> from, journal_actor journal,
  const std::string& agent_id, const config& with) {
  auto owner = from->claim(agent_id);
  if (!owner)
    return owner.error();
  auto page = recover(*from, *owner, with.page.log_capacity, unkept_changes(with.durability));
  if (!page)
    return page.error();
  auto goals = read_all<goal>(*from, owner->agent, collection::goals);
  if (!goals)
    return goals.error();
  auto episodes = kept_episodes::open(from, *owner, with.episodic);
  if (!episodes)
    return episodes.error();
  auto facts = kept_facts::open(from, *owner, with.semantic);
  if (!facts)
    return facts.error();
  auto numbers = kept_counter::open(from, *owner, std::string{counter_name::turns});
  if (!numbers)
    return numbers.error();
  for (const auto& x : *goals)
    page->goals.emplace(x.goal_id, !is_over(x));
  kept_agent result;
  result.journal = std::move(journal);
  result.owner = *owner;
  result.page = std::make_shared<const recovered_page>(std::move(*page));
  result.goals = std::make_shared<kept_goals>(from, *owner, *goals);
  result.recovered_goals = std::move(*goals);
  result.episodes = std::move(*episodes);
  result.facts = std::move(*facts);
  result.turn_numbers = std::move(*numbers);
  result.store = std::move(from);
  result.blocks = true;
  return result;
}

} // namespace scratchpage
