#include "scratchpage/actors/cortex/goal_book.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"

namespace scratchpage {

goal_book::goal_book(const agent_context& agent, std::shared_ptr<goal_store> store,
  uint64_t max_goals, tracer& trace, on_change tell)
  : clock_{agent.clock},
    store_{std::move(store)},
    max_goals_{max_goals},
    trace_{trace},
    tell_{std::move(tell)} {}

void goal_book::restore(std::vector<goal> goals) {
  std::stable_sort(goals.begin(), goals.end(), [](const goal& a, const goal& b) {
    auto is_a_over = is_over(a);
    return is_a_over != is_over(b) ? is_a_over : a.created_at < b.created_at;
  });
  for (auto& x : goals) {
    // Ids that were given from outside may end in any number.
    if (auto number = number_of(x.goal_id); number && x.goal_id.starts_with("goal_"))
      last_number_ = std::max(last_number_, *number);
    if (std::ignore = make_room(); goals_.size() >= max_goals_)
      continue;
    order_.push_back(x.goal_id);
    auto id = x.goal_id;
    goals_.insert_or_assign(std::move(id), std::move(x));
  }
}

const goal* goal_book::find(const std::string& goal_id) const {
  auto i = goals_.find(goal_id);
  return i == goals_.end() ? nullptr : &i->second;
}

std::vector<const goal*> goal_book::all() const {
  std::vector<const goal*> result;
  result.reserve(order_.size());
  for (const auto& id : order_)
    result.push_back(&goals_.at(id));
  return result;
}

caf::error goal_book::make_room() {
  if (goals_.size() < max_goals_)
    return {};
  auto over = std::find_if(
    order_.begin(), order_.end(), [this](const auto& id) { return is_over(goals_.at(id)); });
  if (over == order_.end())
    return fail(errc::overloaded, "max_goals",
      "expected at most " + std::to_string(max_goals_) + " open goals");
  goals_.erase(*over);
  order_.erase(over);
  return {};
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
  if (existing == nullptr)
    order_.push_back(next.goal_id);
  auto id = next.goal_id;
  const auto& kept = goals_.insert_or_assign(std::move(id), std::move(next)).first->second;
  tell_(by, kept, ends);
  return {};
}

} // namespace scratchpage
