#include "scratchpage/actors/cortex/goal_settlement.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "scratchpage/actors/policies/json_path.hpp"
#include "scratchpage/messages/text/keyed_hash.hpp"

namespace scratchpage {

namespace {

void note(std::vector<std::string>& ids, const std::string& id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end())
    ids.push_back(id);
}

using id_set = std::unordered_set<std::string_view, keyed_text_hash, std::equal_to<>>;

/// The ids of what `x` holds, which has to outlive them.
id_set ids_of(const std::vector<observation_ptr>& x) {
  id_set result;
  for (const auto& one : x)
    result.insert(one->observation_id);
  return result;
}

/// A goal is copied only if it may change.
bool has_action(const goal& x, const std::string& action_id) {
  return std::any_of(x.pending_actions.begin(), x.pending_actions.end(),
    [&](const pending_action& one) { return one.action_id == action_id; });
}

bool has_evidence(const goal& x, const id_set& among) {
  return std::any_of(x.observation_ids.begin(), x.observation_ids.end(),
    [&](const std::string& id) { return among.contains(id); });
}

} // namespace

goal_settlement::goal_settlement(
  goal_book& goals, const goal_progress& progress, uint64_t max_waiting)
  : goals_{goals},
    progress_{progress},
    max_waiting_{max_waiting} {}

void goal_settlement::linked(std::string goal_id, observation_ptr x, bool is_from_outside) {
  links_.push_back({std::move(goal_id), std::move(x), is_from_outside});
  if (links_.size() > max_waiting_)
    links_.erase(links_.begin());
}

void goal_settlement::resolved(observation_ptr x) {
  auto is_same = [&](
                   const observation_ptr& one) { return one->observation_id == x->observation_id; };
  if (text_at(x->context, "pending_action_id").empty() || !is_resolution(*x)
      || std::any_of(resolved_.begin(), resolved_.end(), is_same))
    return;
  resolved_.push_back(std::move(x));
  if (resolved_.size() > max_waiting_)
    resolved_.erase(resolved_.begin());
}

void goal_settlement::forget(const std::function<bool(const observation&)>& is_meant) {
  std::erase_if(links_, [&](const link& x) { return is_meant(*x.observation); });
  std::erase_if(resolved_, [&](const observation_ptr& x) { return is_meant(*x); });
}

goal_list goal_settlement::settle(const settle_goals& request) {
  std::vector<std::string> concerned;
  auto ids = ids_of(request.observations);
  for (const auto* one : goals_.all())
    if (has_evidence(*one, ids))
      concerned.push_back(one->goal_id);
  settle_links(request, concerned);
  settle_resolved(request, concerned);
  goal_list result;
  for (const auto& id : concerned)
    if (const auto* x = goals_.find(id))
      result.goals.push_back(*x);
  return result;
}

void goal_settlement::settle_links(const settle_goals& request, std::vector<std::string>& moved) {
  for (auto& one : std::exchange(links_, {})) {
    const auto& turn = one.observation->source.turn_id;
    if (!turn.empty() && turn != request.by.turn_id) {
      links_.push_back(std::move(one)); // its own turn will end
      continue;
    }
    const auto* existing = goals_.find(one.goal_id);
    if (existing == nullptr)
      continue;
    auto next = *existing;
    if (!progress_.linked(next, *one.observation, one.is_from_outside))
      continue;
    progress_.settle(next);
    json::object detail{{"observation_id", one.observation->observation_id},
      {"from", existing->progress}, {"to", next.progress}};
    if (!goals_.commit(std::move(next), request.by, "goal_progress", std::move(detail)))
      note(moved, one.goal_id);
  }
}

void goal_settlement::settle_resolved(
  const settle_goals& request, std::vector<std::string>& moved) {
  for (const auto& one : std::exchange(resolved_, {})) {
    auto action_id = text_at(one->context, "pending_action_id");
    for (const auto* existing : goals_.all()) {
      if (is_over(*existing) || !has_action(*existing, action_id))
        continue;
      auto next = *existing;
      if (!progress_.resolved(next, *one, resolver_of(*one)))
        continue;
      progress_.settle(next);
      if (!goals_.commit(
            std::move(next), request.by, "action_done", {{"observation_id", one->observation_id}}))
        note(moved, existing->goal_id);
    }
  }
}

} // namespace scratchpage
