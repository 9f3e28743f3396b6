#include "scratchpage/actors/cortex/goal_book.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/goal_share.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"

namespace scratchpage {

goal_book::goal_book(const agent_context& agent, std::shared_ptr<goal_store> store, goal_room room,
  const promotion_rules& rules, tracer& trace, on_change tell)
  : clock_{agent.clock},
    store_{std::move(store)},
    room_{room},
    rules_{rules},
    trace_{trace},
    tell_{std::move(tell)},
    open_{rules.shared_tags()} {}

void goal_book::restore(std::vector<goal> goals) {
  std::stable_sort(goals.begin(), goals.end(), [](const goal& a, const goal& b) {
    auto is_a_over = is_over(a);
    return is_a_over != is_over(b) ? is_a_over : a.created_at < b.created_at;
  });
  for (auto& x : goals) {
    // Ids that were given from outside may end in any number.
    if (auto number = number_of(x.goal_id); number && x.goal_id.starts_with("goal_"))
      last_number_ = std::max(last_number_, *number);
    if (goals_.size() >= room_.most && !over_.empty())
      forget(*over_.begin());
    if (goals_.size() < room_.most)
      keep(std::move(x));
  }
}

const goal* goal_book::find(const std::string& goal_id) const {
  auto i = goals_.find(goal_id);
  return i == goals_.end() ? nullptr : &i->second.value;
}

const goal* goal_book::related_to(const relation_marks& x) const {
  auto number = open_.oldest_related(x);
  return number ? &in_order_.at(*number)->value : nullptr;
}

std::vector<const goal*> goal_book::all() const {
  std::vector<const goal*> result;
  result.reserve(in_order_.size());
  for (const auto& [number, x] : in_order_)
    result.push_back(&x->value);
  return result;
}

caf::error goal_book::check_share(const std::string& program, uint64_t more) const {
  auto i = open_of_.find(program);
  auto open = i != open_of_.end() ? i->second.size() : 0;
  if (program.empty() || open + more < room_.of_program)
    return {};
  return fail(errc::overloaded, "max_goals_per_source",
    "expected at most " + std::to_string(room_.of_program) + " open goals of " + program
      + "; end some first");
}

caf::error goal_book::check_room(const std::string& program) const {
  if (auto err = check_share(program))
    return err;
  auto others_give_way = program.empty() && !open_of_.empty();
  if (goals_.size() < room_.most || !over_.empty() || others_give_way)
    return {};
  return fail(errc::overloaded, "max_goals",
    "expected at most " + std::to_string(room_.most) + " open goals");
}

caf::error goal_book::make_room(const std::string& program, const caller& by) {
  if (auto err = check_room(program))
    return err;
  if (goals_.size() < room_.most)
    return {};
  if (over_.empty())
    if (auto err = let_one_give_way(by))
      return err;
  forget(*over_.begin());
  return {};
}

/// Programs from outside keep no goal of a person or of the ensemble from being made.
caf::error goal_book::let_one_give_way(const caller& by) {
  auto most = std::max_element(open_of_.begin(), open_of_.end(),
    [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  auto next = in_order_.at(*most->second.rbegin())->value;
  next.status = goal_status::abandoned;
  return commit(std::move(next), by, "give_way", {{"counts_for", most->first}});
}

const goal& goal_book::keep(goal x) {
  auto id = x.goal_id;
  auto [i, is_new] = goals_.try_emplace(id);
  auto& kept = i->second;
  if (is_new)
    kept.number = ++last_entry_;
  else
    discount(kept);
  kept.value = std::move(x);
  in_order_[kept.number] = &kept;
  count(kept);
  return kept.value;
}

void goal_book::count(const entry& x) {
  if (is_over(x.value)) {
    over_.insert(x.number);
    return;
  }
  open_.put(x.number, rules_.marks_of(x.value));
  if (auto program = counts_for(x.value); !program.empty())
    open_of_[program].insert(x.number);
}

void goal_book::discount(const entry& x) {
  over_.erase(x.number);
  open_.erase(x.number);
  auto i = open_of_.find(counts_for(x.value));
  if (i == open_of_.end())
    return;
  i->second.erase(x.number);
  if (i->second.empty())
    open_of_.erase(i);
}

void goal_book::forget(uint64_t number) {
  auto i = in_order_.find(number);
  discount(*i->second);
  auto id = i->second->value.goal_id;
  in_order_.erase(i);
  goals_.erase(id);
}

void goal_book::give_id(goal& x) {
  if (!x.goal_id.empty())
    return;
  do {
    x.goal_id = "goal_" + std::to_string(++last_number_);
  } while (find(x.goal_id) != nullptr);
}

void goal_book::prepare(goal& x) {
  give_id(x);
  size_t n = 0;
  for (auto& action : x.pending_actions) {
    ++n;
    if (action.action_id.empty())
      action.action_id = x.goal_id + "_action_" + std::to_string(n);
  }
  x.created_at = to_milliseconds(clock_->now());
}

caf::error goal_book::commit(
  goal next, const caller& by, std::string_view operation, json::object detail) {
  const auto* existing = find(next.goal_id);
  if (existing == nullptr)
    if (auto err = make_room(counts_for(next), by)) {
      trace_.write_error(operation, by, err, {{"goal_id", next.goal_id}});
      return err;
    }
  next.updated_at = to_milliseconds(clock_->now());
  next.revision = existing != nullptr ? existing->revision + 1 : 1;
  if (auto err = store_->put(next)) {
    auto unavailable = fail(errc::storage_unavailable, "", describe(err));
    trace_.write_error(operation, by, unavailable, {{"goal_id", next.goal_id}});
    return unavailable;
  }
  auto ends = is_over(next) && existing != nullptr && !is_over(*existing);
  detail["goal_id"] = next.goal_id;
  detail["status"] = name_of(next.status);
  detail["progress"] = next.progress;
  trace_.write(operation, by, std::move(detail));
  tell_(by, keep(std::move(next)), ends);
  return {};
}

} // namespace scratchpage
