#include "scratchpage/actors/cortex/goal_book.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/actors/policies/goal_progress.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/goal.hpp"
#include "scratchpage/messages/json/json_size.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

bool is_wanted(const goal& x, const list_goals& request) {
  const auto& status = request.status;
  return status.empty() || std::find(status.begin(), status.end(), x.status) != status.end();
}

caf::error check_limit(const list_goals& request) {
  if (!request.limit || (*request.limit >= 1 && *request.limit <= list_goals::most))
    return {};
  return fail(errc::invalid_request, "limit",
    "expected 1 to " + std::to_string(list_goals::most) + ", got "
      + std::to_string(*request.limit));
}

/// About how many bytes a goal takes in an answer.
size_t bytes_of(const goal& x) {
  auto result = sizeof(goal) + x.goal_id.size() + x.title.size() + x.description.size()
                + json_size(x.context, answer_limits::bytes);
  for (const auto& id : x.observation_ids)
    result += id.size() + sizeof(id);
  for (const auto& one : x.evidence)
    result += one.observation_id.size() + one.content.size() + one.source.size() + sizeof(one);
  for (const auto& one : x.pending_actions)
    result += one.action_id.size() + one.description.size() + sizeof(one);
  return result;
}

/// Puts one more goal into the answer, if it has room.
bool take(goal_list& to, const goal& x, const list_goals& request, size_t& bytes) {
  if (request.limit) {
    bytes += bytes_of(x);
    auto is_full = to.goals.size() >= *request.limit || bytes > answer_limits::bytes;
    if (is_full && !to.goals.empty()) {
      to.next_cursor = to.goals.back().goal_id;
      return false;
    }
  }
  to.goals.push_back(x);
  return true;
}

void note(std::vector<std::string>& ids, const std::string& id) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end())
    ids.push_back(id);
}

using id_set = std::unordered_set<std::string_view, keyed_text_hash, std::equal_to<>>;

/// The ids of the observations. The set refers to `x`, which has to outlive it.
id_set ids_of(const std::vector<observation_ptr>& x) {
  id_set result;
  for (const auto& one : x)
    result.insert(one->observation_id);
  return result;
}

/// Whether the goal has the action. Checked first, so that only goals that may change are copied.
bool has_action(const goal& x, const std::string& action_id) {
  return std::any_of(x.pending_actions.begin(), x.pending_actions.end(),
    [&](const pending_action& one) { return one.action_id == action_id; });
}

bool has_evidence(const goal& x, const id_set& among) {
  return std::any_of(x.observation_ids.begin(), x.observation_ids.end(),
    [&](const std::string& id) { return among.contains(id); });
}

} // namespace

goal_book::goal_book(const agent_context& agent, std::shared_ptr<goal_store> store, goal_room room,
  const promotion_rules& rules, tracer& trace, on_change tell)
  : clock_{agent.clock},
    store_{std::move(store)},
    room_{room},
    rules_{rules},
    trace_{trace},
    tell_{std::move(tell)},
    open_{rules.shared_tags()},
    doubts_{agent.work()} {}

void goal_book::restore(std::vector<goal> goals, bool after_rest) {
  last_number_ = store_->last_dropped();
  for (auto& x : goals) {
    // Callers choose ids, too; only those of the form that is made here count.
    if (auto number = number_of(x.goal_id); number && x.goal_id.starts_with("goal_"))
      last_number_ = std::max(last_number_, *number);
    promotion_rules::shorten(x);
    keep(std::move(x));
  }
  if (after_rest)
    return;
  // Open goals are kept, however many bytes they take.
  auto is_over_full = [this] {
    return goals_.size() > room_.max_goals || bytes_ > room_.max_bytes;
  };
  while (is_over_full() && !over_.empty())
    drop(*over_.begin());
  while (goals_.size() > room_.max_goals) // the limit was higher before
    leave_out(in_order_.rbegin()->first);
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
  if (program.empty() || open + more < room_.max_goals_of_program)
    return check_bytes(program);
  return fail(errc::overloaded, "max_goals_per_source",
    "expected at most " + std::to_string(room_.max_goals_of_program) + " open goals of " + program
      + "; end some first");
}

caf::error goal_book::check_bytes(const std::string& program) const {
  auto i = open_of_.find(program);
  if (program.empty() || i == open_of_.end() || i->second.bytes < room_.max_bytes_of_program)
    return {};
  return fail(errc::overloaded, "max_bytes_per_source",
    "expected open goals of " + program + " of at most "
      + std::to_string(room_.max_bytes_of_program) + " bytes; end some first");
}

caf::error goal_book::let_grow(const std::string& program) {
  auto err = check_bytes(program);
  if (program.empty() || err)
    return err;
  while (bytes_ >= room_.max_bytes && !over_.empty())
    drop(*over_.begin());
  std::ignore = store_->flush(); // if that fails, the next change of a goal writes it
  doubts_.set(store_->is_in_doubt());
  return bytes_ < room_.max_bytes ? caf::error{} : refuse();
}

caf::error goal_book::check_room(const std::string& program) const {
  if (auto err = check_share(program))
    return err;
  auto can_abandon = program.empty() && !open_of_.empty();
  return !is_full() || !over_.empty() || can_abandon ? caf::error{} : refuse();
}

/// The error when there is no room for another goal.
caf::error goal_book::refuse() const {
  if (goals_.size() >= room_.max_goals)
    return fail(errc::overloaded, "max_goals",
      "expected at most " + std::to_string(room_.max_goals) + " open goals");
  return fail(errc::overloaded, "max_bytes",
    "expected open goals of at most " + std::to_string(room_.max_bytes) + " bytes");
}

caf::error goal_book::make_room(const std::string& program, const caller& by) {
  auto err = check_room(program);
  while (!err && is_full()) {
    if (over_.empty())
      err = abandon_one(by);
    if (!over_.empty())
      drop(*over_.begin());
    if (!err)
      err = check_room(program);
  }
  return err;
}

/// Abandons the latest open goal of the outside program that has the most, so that such programs
/// never prevent a goal of a person or of the ensemble.
caf::error goal_book::abandon_one(const caller& by) {
  auto by_bytes = goals_.size() < room_.max_goals;
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

/// Drops a goal here and in the store.
void goal_book::drop(uint64_t number) {
  store_->drop(in_order_.at(number)->value.goal_id);
  leave_out(number);
}

void goal_book::leave_out(uint64_t number) {
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
  auto refused = store_->put(next);
  doubts_.set(store_->is_in_doubt());
  if (refused) {
    auto unavailable = fail(errc::storage_unavailable, "", describe(refused));
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

caf::expected<goal_list> page_of(const std::vector<const goal*>& all, const list_goals& request) {
  if (auto err = check_limit(request))
    return err;
  auto is_last = [&](const goal* x) { return x->goal_id == request.cursor; };
  auto from = request.cursor.empty() ? all.begin() : std::find_if(all.begin(), all.end(), is_last);
  if (from == all.end() && !request.cursor.empty())
    return fail(errc::invalid_request, "cursor",
      "expected the next_cursor of an answer whose goals are kept");
  if (!request.cursor.empty())
    ++from;
  auto wanted = [&](const goal* x) { return is_wanted(*x, request); };
  goal_list result;
  result.total_count = std::count_if(all.begin(), all.end(), wanted);
  size_t bytes = 0;
  for (; from != all.end(); ++from)
    if (wanted(*from) && !take(result, **from, request, bytes))
      break;
  return result;
}

goal_settlement::goal_settlement(
  goal_book& goals, const goal_progress& progress, uint64_t max_waiting)
  : goals_{goals},
    progress_{progress},
    max_waiting_{max_waiting} {}

uint64_t goal_settlement::unsettled::bytes() const {
  uint64_t result = links.size() * sizeof(link) + resolved.size() * sizeof(observation_ptr);
  for (const auto& x : links)
    result += x.goal_id.size() + memory_of(*x.observation);
  for (const auto& x : resolved)
    result += memory_of(*x);
  return result;
}

void goal_settlement::linked(std::string goal_id, observation_ptr x, bool is_from_outside) {
  waiting_.links.push_back({std::move(goal_id), std::move(x), is_from_outside});
  if (waiting_.links.size() > max_waiting_)
    waiting_.links.erase(waiting_.links.begin());
}

void goal_settlement::resolved(observation_ptr x) {
  auto is_same = [&](
                   const observation_ptr& one) { return one->observation_id == x->observation_id; };
  if (text_at(x->context, "pending_action_id").empty() || !is_resolution(*x)
      || std::any_of(waiting_.resolved.begin(), waiting_.resolved.end(), is_same))
    return;
  waiting_.resolved.push_back(std::move(x));
  if (waiting_.resolved.size() > max_waiting_)
    waiting_.resolved.erase(waiting_.resolved.begin());
}

void goal_settlement::forget(const std::function<bool(const observation&)>& is_meant) {
  std::erase_if(waiting_.links, [&](const link& x) { return is_meant(*x.observation); });
  std::erase_if(waiting_.resolved, [&](const observation_ptr& x) { return is_meant(*x); });
}

goal_list goal_settlement::settle(const settle_goals& request) {
  std::vector<std::string> concerned;
  auto ids = ids_of(request.observations);
  for (const auto* one : goals_.all())
    if (has_evidence(*one, ids))
      concerned.push_back(one->goal_id);
  settle_links(request, concerned);
  settle_resolved(request, concerned);
  settle_told(request, concerned);
  goal_list result;
  for (const auto& id : concerned)
    if (const auto* x = goals_.find(id))
      result.goals.push_back(*x);
  return result;
}

void goal_settlement::settle_links(const settle_goals& request, std::vector<std::string>& moved) {
  for (auto& one : std::exchange(waiting_.links, {})) {
    const auto& turn = one.observation->source.turn_id;
    if (!turn.empty() && turn != request.by.turn_id) {
      waiting_.links.push_back(std::move(one)); // settled when its own turn ends
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
  for (const auto& one : std::exchange(waiting_.resolved, {})) {
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

/// Completes the actions to warn the user of alerts of which the response has warned.
void goal_settlement::settle_told(const settle_goals& request, std::vector<std::string>& moved) {
  for (const auto& alert : request.told) {
    if (!alert)
      continue;
    for (const auto* existing : goals_.all()) {
      if (is_over(*existing) || !has_evidence(*existing, {alert->observation_id}))
        continue;
      auto next = *existing;
      if (!progress_.warned(next, *alert))
        continue;
      if (!goals_.commit(std::move(next), request.by, "action_done",
            {{"observation_id", alert->observation_id}, {"note", "The response has warned"}}))
        note(moved, existing->goal_id);
    }
  }
}

} // namespace scratchpage
