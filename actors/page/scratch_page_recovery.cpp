#include <algorithm>
#include <tuple>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/observation_size.hpp"

namespace scratchpage {

void scratch_page_state::restore(const recovered_page& from) {
  last_number_ = applied_number_ = from.last_number;
  expired_ = from.expired;
  evicted_ = from.evicted;
  log_.begin_after(from.sequence - from.latest.size());
  for (auto event : from.latest) {
    event.bytes = event.observation ? static_cast<uint32_t>(memory_of(*event.observation)) : 0;
    log_.append(std::move(event));
  }
  next_sequence_ = log_.next();
  positions_.restore(from.positions);
  for (const auto& type : from.types)
    std::ignore = types_.add(type);
  for (const auto& [number, x] : from.observations) {
    index_.insert(number, x);
    auto bytes = static_cast<int64_t>(memory_of(*x));
    bytes_ += bytes;
    auto share = shares_.of(x->source);
    shares_.count(share, 1, bytes);
    charge_restored(number, *x, bytes);
    put_in_order(number, *x, share);
    for (const auto& goal : x->linked_goal_ids)
      if (auto known = from.goals.find(goal); known != from.goals.end() && known->second)
        protect_as_evidence(goal, number);
  }
  share_memory();
}

/// What expired meanwhile ends. What was cut short when the process ended: links to goals that were
/// never kept are undone, and what deserves a goal is offered to the Frontal Cortex.
void scratch_page_state::resume(const recovered_page& from) {
  expire();
  auto by = as_daemon("scratch_page");
  auto is_unknown = [&](const std::string& goal) { return !from.goals.contains(goal); };
  changes undone;
  for (const auto& [number, x] : from.observations) {
    if (busy_.contains(number))
      continue; // it is ending
    auto links = x->linked_goal_ids;
    if (std::erase_if(links, is_unknown) > 0) {
      auto next = *x;
      next.linked_to_goal = !links.empty();
      next.linked_goal_ids = std::move(links);
      ++next.revision;
      undone.push_back({event_kind::linked, number, observation_ptr{std::move(next)}});
    } else if (!x->linked_to_goal) {
      judge(number, {.sequence = 0, .observation = x});
    }
  }
  commit(std::move(undone), by, "unlink_observation", [](const caf::error&) {});
  settle();
}

} // namespace scratchpage
