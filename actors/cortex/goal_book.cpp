#include "scratchpage/actors/cortex/goal_book.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/actors/policies/goal_share.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal_size.hpp"
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
    promotion_rules::shorten(x);
    while (is_full() && !over_.empty())
      forget(*over_.begin());
    if (goals_.size() < room_.most) // what is open is kept, however many bytes it takes
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
  auto open = i != open_of_.end() ? i->second.goals.size() : 0;
  if (program.empty() || open + more < room_.of_program)
    return check_bytes(program);
  return fail(errc::overloaded, "max_goals_per_source",
    "expected at most " + std::to_string(room_.of_program) + " open goals of " + program
      + "; end some first");
}

caf::error goal_book::check_bytes(const std::string& program) const {
  auto i = open_of_.find(program);
  if (program.empty() || i == open_of_.end() || i->second.bytes < room_.bytes_of_program)
    return {};
  return fail(errc::overloaded, "max_bytes_per_source",
    "expected open goals of " + program + " of at most " + std::to_string(room_.bytes_of_program)
      + " bytes; end some first");
}

caf::error goal_book::let_grow(const std::string& program) {
  auto err = check_bytes(program);
  if (program.empty() || err)
    return err;
  while (bytes_ >= room_.bytes && !over_.empty())
    forget(*over_.begin());
  return bytes_ < room_.bytes ? caf::error{} : refuse();
}

caf::error goal_book::check_room(const std::string& program) const {
  if (auto err = check_share(program))
    return err;
  auto others_give_way = program.empty() && !open_of_.empty();
  return !is_full() || !over_.empty() || others_give_way ? caf::error{} : refuse();
}

/// There is no room for more.
caf::error goal_book::refuse() const {
  if (goals_.size() >= room_.most)
    return fail(errc::overloaded, "max_goals",
      "expected at most " + std::to_string(room_.most) + " open goals");
  return fail(errc::overloaded, "max_bytes",
    "expected open goals of at most " + std::to_string(room_.bytes) + " bytes");
}

caf::error goal_book::make_room(const std::string& program, const caller& by) {
  auto err = check_room(program);
  while (!err && is_full()) {
    if (over_.empty())
      err = let_one_give_way(by);
    if (!over_.empty())
      forget(*over_.begin());
    if (!err)
      err = check_room(program);
  }
  return err;
}

/// Programs from outside keep no goal of a person or of the ensemble from being made.
caf::error goal_book::let_one_give_way(const caller& by) {
  auto by_bytes = goals_.size() < room_.most;
  auto has_less = [&](const auto& a, const auto& b) {
    return by_bytes ? a.second.bytes < b.second.bytes
                    : a.second.goals.size() < b.second.goals.size();
  };
  auto most = std::max_element(open_of_.begin(), open_of_.end(), has_less);
  auto next = in_order_.at(*most->second.goals.rbegin())->value;
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

void goal_book::count(entry& x) {
  x.bytes = memory_of(x.value);
  bytes_ += x.bytes;
  if (is_over(x.value)) {
    over_.insert(x.number);
    return;
  }
  open_.put(x.number, rules_.marks_of(x.value));
  if (auto program = counts_for(x.value); !program.empty()) {
    auto& its = open_of_[program];
    its.goals.insert(x.number);
    its.bytes += x.bytes;
  }
}

void goal_book::discount(const entry& x) {
  bytes_ -= x.bytes;
  over_.erase(x.number);
  open_.erase(x.number);
  auto i = open_of_.find(counts_for(x.value));
  if (i == open_of_.end() || i->second.goals.erase(x.number) == 0)
    return;
  i->second.bytes -= x.bytes;
  if (i->second.goals.empty())
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
  name_actions(x, 0);
  x.created_at = to_milliseconds(clock_->now());
}

void goal_book::name_actions(goal& x, uint64_t after) {
  std::set<std::string> taken;
  for (const auto& action : x.pending_actions)
    taken.insert(action.action_id);
  for (size_t i = 0; i < x.pending_actions.size(); ++i) {
    auto& id = x.pending_actions[i].action_id;
    for (auto n = after + i + 1; id.empty(); ++n)
      if (auto free = x.goal_id + "_action_" + std::to_string(n); taken.insert(free).second)
        id = std::move(free);
  }
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
