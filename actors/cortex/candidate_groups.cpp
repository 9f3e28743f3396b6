#include "scratchpage/actors/cortex/candidate_groups.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/messages/goal_limits.hpp"

namespace scratchpage {

namespace {

/// Adds an observation, in place of an older revision of it, unless the group has as many as a
/// goal takes.
void put(std::vector<observation_ptr>& to, const observation_ptr& x) {
  std::erase_if(
    to, [&](const observation_ptr& one) { return one->observation_id == x->observation_id; });
  if (to.size() < goal_limits::observations)
    to.push_back(x);
}

} // namespace

bool candidate_group::is_complete() const {
  return observations.size() >= rule->min_observations;
}

candidate_groups::candidate_groups(
  const promotion_rules& rules, const goal_book& goals, uint64_t max_waiting)
  : rules_{rules},
    goals_{goals},
    max_waiting_{max_waiting} {}

bool candidate_groups::add(const promotion_candidate& x, groups& to) {
  const auto* rule = rules_.find(x.rule_id);
  const auto& candidate = *x.observation;
  auto by = as_daemon("frontal_cortex", candidate.source.turn_id, x.cause);
  auto alone = [&](std::string goal_id) {
    to.push_back(std::make_shared<candidate_group>(
      candidate_group{rule, std::move(goal_id), {x.observation}, by}));
  };
  if (const auto* existing = goal_for(x, rule)) {
    auto same = [&](const candidate_group_ptr& g) { return g->goal_id == existing->goal_id; };
    if (auto found = std::find_if(to.begin(), to.end(), same); found != to.end())
      put((*found)->observations, x.observation);
    else
      alone(existing->goal_id);
    return true;
  }
  if (rule == nullptr)
    return false; // names a goal that does not exist; that is no reason to make one
  if (auto found = find_related(to, candidate, *rule); found != to.end()) {
    put((*found)->observations, x.observation);
  } else if (auto waited = take_waiting(candidate, *rule)) {
    put(waited->observations, x.observation);
    waited->by = by;
    to.push_back(std::move(waited));
  } else {
    alone("");
  }
  return true;
}

const goal* candidate_groups::goal_for(
  const promotion_candidate& x, const promotion_rule* rule) const {
  const auto& candidate = *x.observation;
  for (const auto* one : goals_.all())
    if (!is_over(*one)
        && (rule != nullptr ? rules_.related(candidate, *rule, *one)
                            : promotion_rules::named_by(candidate, *one)))
      return one;
  return nullptr;
}

candidate_group_ptr candidate_groups::take_waiting(
  const observation& x, const promotion_rule& rule) {
  auto found = find_related(waiting_, x, rule);
  if (found == waiting_.end())
    return nullptr;
  auto result = std::move(*found);
  waiting_.erase(found);
  return result;
}

candidate_groups::groups::iterator candidate_groups::find_related(
  groups& in, const observation& x, const promotion_rule& rule) const {
  return std::find_if(in.begin(), in.end(), [&](const candidate_group_ptr& g) {
    return g->rule != nullptr && g->goal_id.empty()
           && std::any_of(g->observations.begin(), g->observations.end(),
             [&](const auto& y) { return rules_.related(x, rule, *y, *g->rule); });
  });
}

void candidate_groups::wait(candidate_group_ptr x) {
  waiting_.push_back(std::move(x));
  if (waiting_.size() > max_waiting_)
    waiting_.erase(waiting_.begin());
}

void candidate_groups::forget(const std::string& observation_id) {
  for (auto& group : waiting_)
    std::erase_if(group->observations,
      [&](const observation_ptr& x) { return x->observation_id == observation_id; });
  std::erase_if(waiting_, [](const candidate_group_ptr& x) { return x->observations.empty(); });
}

} // namespace scratchpage
