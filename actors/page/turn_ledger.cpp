#include "scratchpage/actors/page/turn_ledger.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_size.hpp"

namespace scratchpage {

namespace {

caf::error not_open(const std::string& turn_id) {
  return fail(errc::not_found, "turn_id", "expected an open turn, got '" + turn_id + "'");
}

} // namespace

caf::error turn_ledger::open(const std::string& turn_id, payer paid_by) {
  if (turn_id.empty())
    return fail(errc::invalid_request, "turn_id", "expected a turn's id");
  if (turns_.size() >= max_open_ && !is_open(turn_id))
    return fail(
      errc::overloaded, "turn_id", "expected at most " + std::to_string(max_open_) + " open turns");
  if (auto [opened, is_new] = turns_.try_emplace(turn_id); is_new)
    opened->second.paid_by = paid_by;
  return {};
}

const turn_ledger::payer* turn_ledger::payer_of(const std::string& turn_id) const {
  if (auto open = turns_.find(turn_id); open != turns_.end())
    return &open->second.paid_by;
  auto closed = closed_.find(turn_id);
  return closed != closed_.end() ? &closed->second : nullptr;
}

void turn_ledger::remember(const std::string& turn_id, payer paid_by) {
  constexpr size_t most = 1'024;
  if (closed_.insert_or_assign(turn_id, paid_by).second)
    closed_in_order_.push_back(turn_id);
  if (closed_in_order_.size() <= most)
    return;
  closed_.erase(closed_in_order_.front());
  closed_in_order_.pop_front();
}

void turn_ledger::note(
  const std::string& causing_turn, uint64_t sequence, uint64_t number, const observation_ptr& x) {
  if (turns_.empty())
    return;
  if (auto i = turns_.find(causing_turn); i != turns_.end())
    i->second.last_sequence = sequence;
  if (auto i = turns_.find(x->source.turn_id); i != turns_.end())
    keep(i->second, number, x);
}

/// What was added first stays: the turn's input is among it.
void turn_ledger::keep(turn& x, uint64_t number, const observation_ptr& added) {
  auto known = x.added.find(number);
  auto before = known != x.added.end() ? memory_of(*known->second) : 0;
  auto bytes = bytes_ - before + memory_of(*added);
  if (bytes > most_bytes_) {
    ++x.left_out;
    return;
  }
  bytes_ = bytes;
  x.added[number] = added;
}

void turn_ledger::expect(const std::string& causing_turn) {
  if (auto i = turns_.find(causing_turn); i != turns_.end())
    ++i->second.expected;
}

void turn_ledger::settle(const std::string& causing_turn) {
  // It may have been closed and opened again meanwhile.
  if (auto i = turns_.find(causing_turn); i != turns_.end() && i->second.expected > 0)
    --i->second.expected;
}

caf::error turn_ledger::hold(const std::string& turn_id, const std::string& holder) {
  auto i = turns_.find(turn_id);
  if (i == turns_.end())
    return not_open(turn_id);
  ++i->second.holds[holder];
  return {};
}

caf::error turn_ledger::release(const std::string& turn_id, const std::string& holder) {
  auto i = turns_.find(turn_id);
  if (i == turns_.end())
    return not_open(turn_id);
  auto& holds = i->second.holds;
  auto held = holds.find(holder);
  if (held == holds.end())
    return fail(errc::not_found, "by.name", "'" + holder + "' does not hold turn " + turn_id);
  if (--held->second == 0)
    holds.erase(held);
  return {};
}

void turn_ledger::release_all(const std::string& holder) {
  for (auto& [id, turn] : turns_)
    turn.holds.erase(holder);
}

caf::error turn_ledger::wait(const std::string& turn_id, waiter x) {
  auto i = turns_.find(turn_id);
  if (i == turns_.end())
    return not_open(turn_id);
  i->second.waiters.push_back(std::move(x));
  return {};
}

void turn_ledger::forget(uint64_t token) {
  for (auto& [id, turn] : turns_)
    std::erase_if(turn.waiters, [token](const waiter& x) { return x.token == token; });
}

std::vector<turn_ledger::waiter> turn_ledger::take_ready(uint64_t acknowledged) {
  std::vector<waiter> ready;
  for (auto& [id, turn] : turns_)
    if (!turn.waiters.empty())
      take_ready(turn, acknowledged, ready);
  return ready;
}

void turn_ledger::take_ready(turn& x, uint64_t acknowledged, std::vector<waiter>& ready) {
  if (acknowledged < x.last_sequence || x.expected > 0)
    return;
  auto by_stage = [](const waiter& a, const waiter& b) { return a.stage < b.stage; };
  auto stage = std::min_element(x.waiters.begin(), x.waiters.end(), by_stage)->stage;
  if (stage != quiet_stage::started && !x.holds.empty())
    return;
  auto later = std::stable_partition(
    x.waiters.begin(), x.waiters.end(), [stage](const waiter& w) { return w.stage == stage; });
  for (auto i = x.waiters.begin(); i != later; ++i) {
    if (comes_with_hold(stage))
      ++x.holds[i->holder];
    ready.push_back(std::move(*i));
  }
  x.waiters.erase(x.waiters.begin(), later);
}

turn_ledger::closed turn_ledger::close(const std::string& turn_id) {
  closed result;
  auto node = turns_.extract(turn_id);
  if (node.empty())
    return result;
  remember(turn_id, node.mapped().paid_by);
  result.left_out = node.mapped().left_out;
  for (auto& [number, x] : node.mapped().added) {
    bytes_ -= memory_of(*x);
    result.observations.push_back(std::move(x));
  }
  result.waiters = std::move(node.mapped().waiters);
  return result;
}

} // namespace scratchpage
