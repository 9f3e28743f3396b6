#include "scratchpage/actors/cortex/candidate_groups.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/limits.hpp"

namespace scratchpage {

namespace {

/// Adds a candidate, which replaces an older revision of itself, unless the group is full.
void put(candidate_group& to, const promotion_candidate& x) {
  auto& all = to.observations;
  std::erase_if(all, [&](const observation_ptr& one) {
    return one->observation_id == x.observation->observation_id;
  });
  if (all.size() >= goal_limits::observations)
    return;
  all.push_back(x.observation);
  if (x.counts_for.empty()) {
    to.counts_for.clear();
    to.from_outside.erase(x.observation->observation_id);
  } else {
    to.from_outside.insert(x.observation->observation_id);
  }
}

caller on_behalf_of(const promotion_candidate& x) {
  return as_daemon("frontal_cortex", x.observation->source.turn_id, x.cause);
}

} // namespace

bool candidate_group::is_complete() const {
  return observations.size() >= rule->min_observations;
}

candidate_groups::candidate_groups(
  const promotion_rules& rules, const goal_book& goals, uint64_t max_waiting)
  : rules_{rules},
    goals_{goals},
    max_waiting_{max_waiting},
    related_{rules.shared_tags()} {}

bool candidate_groups::add(const promotion_candidate& x, candidate_batch& to) {
  const auto* rule = rules_.find(x.rule_id);
  auto marks = rule != nullptr ? promotion_rules::marks_of(*x.observation, *rule)
                               : promotion_rules::marks_of(*x.observation);
  if (const auto* existing = goals_.related_to(marks)) {
    join_goal(x, existing->goal_id, to);
    return true;
  }
  if (rule == nullptr)
    return false; // it names a goal that does not exist, and without a rule it makes none
  join_related(x, marks, to);
  return true;
}

void candidate_groups::join_goal(
  const promotion_candidate& x, const std::string& goal_id, candidate_batch& to) {
  auto [place, is_new] = to.of_goal_.try_emplace(goal_id, to.groups_.size());
  if (is_new)
    to.groups_.push_back(std::make_shared<candidate_group>(
      candidate_group{rules_.find(x.rule_id), goal_id, {}, on_behalf_of(x), x.counts_for}));
  put(*to.groups_[place->second], x);
}

void candidate_groups::join_related(
  const promotion_candidate& x, const relation_marks& marks, candidate_batch& to) {
  auto place = to.related_.oldest_related(marks);
  if (!place) {
    place = to.groups_.size();
    auto group = take_waiting(marks);
    if (!group)
      group = std::make_shared<candidate_group>(
        candidate_group{rules_.find(x.rule_id), {}, {}, {}, x.counts_for});
    group->by = on_behalf_of(x);
    to.groups_.push_back(std::move(group));
  }
  auto& group = *to.groups_[*place];
  put(group, x);
  add_marks(group, *x.observation);
  to.related_.put(*place, group.marks);
}

void candidate_groups::add_marks(candidate_group& to, const observation& x) const {
  to.marks.add(promotion_rules::marks_of(x, *to.rule), rules_.max_evidence());
}

candidate_group_ptr candidate_groups::take_waiting(const relation_marks& x) {
  auto number = related_.oldest_related(x);
  return number ? take_out(*number) : nullptr;
}

void candidate_groups::wait(candidate_group_ptr x) {
  keep_waiting(++last_number_, std::move(x));
  if (waiting_.size() > max_waiting_)
    take_out(next_to_drop());
}

void candidate_groups::keep_waiting(uint64_t number, candidate_group_ptr x) {
  x->marks = {};
  if (x->rule != nullptr && x->goal_id.empty())
    for (const auto& one : x->observations)
      add_marks(*x, *one);
  related_.put(number, x->marks);
  waiting_for_[x->counts_for].insert(number);
  waiting_.emplace(number, std::move(x));
}

candidate_group_ptr candidate_groups::take_out(uint64_t number) {
  auto result = std::move(waiting_.extract(number).mapped());
  related_.erase(number);
  auto i = waiting_for_.find(result->counts_for);
  i->second.erase(number);
  if (i->second.empty())
    waiting_for_.erase(i);
  return result;
}

/// The oldest group of the outside program that has the most; the oldest of all if none has any.
uint64_t candidate_groups::next_to_drop() const {
  auto most =
    std::max_element(waiting_for_.begin(), waiting_for_.end(), [](const auto& a, const auto& b) {
      auto weight = [](const auto& x) { return x.first.empty() ? 0 : x.second.size(); };
      return weight(a) < weight(b);
    });
  return *most->second.begin();
}

uint64_t candidate_groups::kept_groups::bytes() const {
  uint64_t result = 0;
  for (const auto& x : groups) {
    result += sizeof(x);
    for (const auto& one : x.group.observations)
      result += memory_of(*one);
    for (const auto& id : x.group.from_outside)
      result += sizeof(id) + id.size();
  }
  return result;
}

candidate_groups::kept_groups candidate_groups::take_waiting() {
  kept_groups result;
  result.last_number = last_number_;
  while (!waiting_.empty()) {
    auto number = waiting_.begin()->first;
    auto group = std::move(*take_out(number));
    std::string rule_id = group.rule != nullptr ? group.rule->id : "";
    group.rule = nullptr;
    group.marks = {};
    result.groups.push_back({number, std::move(rule_id), std::move(group)});
  }
  return result;
}

void candidate_groups::restore(kept_groups x) {
  last_number_ = x.last_number;
  for (auto& one : x.groups) {
    auto group = std::make_shared<candidate_group>(std::move(one.group));
    group->rule = rules_.find(one.rule_id);
    keep_waiting(one.number, std::move(group));
  }
}

void candidate_groups::forget(const std::string& observation_id) {
  auto is_meant = [&](const observation_ptr& x) { return x->observation_id == observation_id; };
  std::vector<uint64_t> changed;
  for (const auto& [number, group] : waiting_)
    if (std::any_of(group->observations.begin(), group->observations.end(), is_meant))
      changed.push_back(number);
  for (auto number : changed) {
    auto group = take_out(number);
    std::erase_if(group->observations, is_meant);
    if (!group->observations.empty())
      keep_waiting(number, std::move(group));
  }
}

} // namespace scratchpage
