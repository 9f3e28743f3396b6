#include "scratchpage/actors/page/turn_ledger.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "scratchpage/actors/base/packed_text.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

namespace {

caf::error not_open(const std::string& turn_id) {
  return fail(errc::not_found, "turn_id", "expected an open turn, got '" + turn_id + "'");
}

caf::error too_many(size_t limit, std::string_view of_what) {
  return fail(errc::overloaded, "turn_id",
    ("expected at most " + std::to_string(limit) + " ").append(of_what));
}

/// The revisions for which there was room, in the order of their numbers.
std::vector<observation_ptr> listed(const std::map<uint64_t, observation_ptr>& revisions) {
  std::vector<observation_ptr> result;
  for (const auto& [number, x] : revisions)
    if (x)
      result.push_back(x);
  return result;
}

} // namespace

bool is_program(const std::optional<caller>& x) {
  return x && !is_person(*x);
}

bool is_same_principal(const std::optional<caller>& a, const std::optional<caller>& b) {
  return a && b && a->kind == b->kind && a->name == b->name;
}

bool counts_with(const std::optional<caller>& a, const std::optional<caller>& b) {
  return (a && b && a->claimed && b->claimed) || is_same_principal(a, b);
}

caf::error turn_ledger::open(const std::string& turn_id, payer paid_by, beginner by) {
  if (turn_id.empty())
    return fail(errc::invalid_request, "turn_id", "expected a turn's id");
  if (is_open(turn_id))
    return {};
  if (turns_.size() >= max_open_)
    return too_many(max_open_, "open turns");
  auto limit_of_programs = share_of_programs(max_open_);
  if (is_program(by.by) && turns_of_programs() >= limit_of_programs)
    return too_many(limit_of_programs, "open turns of all programs together");
  auto& opened = turns_[turn_id];
  opened.paid_by = paid_by;
  opened.begun = std::move(by);
  return {};
}

size_t turn_ledger::turns_of_programs() const {
  return static_cast<size_t>(std::count_if(
    turns_.begin(), turns_.end(), [](const auto& x) { return is_program(x.second.begun.by); }));
}

const turn_ledger::payer* turn_ledger::payer_of(const std::string& turn_id) const {
  if (auto open = turns_.find(turn_id); open != turns_.end())
    return &open->second.paid_by;
  auto closed = closed_.find(turn_id);
  return closed != closed_.end() ? &closed->second : nullptr;
}

void turn_ledger::remember(const std::string& turn_id, payer paid_by) {
  constexpr size_t max_closed = 1'024;
  if (closed_.insert_or_assign(turn_id, paid_by).second)
    closed_in_order_.push_back(turn_id);
  if (closed_in_order_.size() <= max_closed)
    return;
  closed_.erase(closed_in_order_.front());
  closed_in_order_.pop_front();
}

std::string turn_ledger::packed() const {
  packer to;
  for (const auto& id : closed_in_order_) {
    const auto& paid_by = closed_.at(id);
    to.put(id);
    to.put(paid_by ? uint64_t{*paid_by} + 1 : 0);
  }
  return std::move(to).text();
}

void turn_ledger::restore(std::string_view packed) {
  unpacker from{packed};
  while (!from.is_done()) {
    auto id = from.text();
    auto paid_by = from.number();
    remember(id, paid_by > 0 ? payer{static_cast<source_shares::share>(paid_by - 1)} : payer{});
  }
}

void turn_ledger::note(const std::string& causing_turn, uint64_t sequence, uint64_t number,
  const observation_ptr& x, addition as) {
  if (turns_.empty())
    return;
  if (auto i = turns_.find(causing_turn); i != turns_.end())
    i->second.last_sequence = sequence;
  if (auto i = turns_.find(x->source.turn_id); i != turns_.end())
    keep(i->second, number, x, as);
}

/// The part of the turn that an observation belongs to; null for a changed observation that was not
/// added to this turn.
turn_ledger::part* turn_ledger::part_of(turn& x, uint64_t number, addition as) {
  if (x.own.revisions.contains(number))
    return &x.own;
  if (x.others.revisions.contains(number))
    return &x.others;
  return as == addition::of_ensemble ? &x.own : as == addition::of_others ? &x.others : nullptr;
}

/// Keeps a revision if there is room. The first observations always stay: one of them is the turn's
/// input. The number of what the ensemble adds is kept even without room for the observation.
void turn_ledger::keep(turn& x, uint64_t number, const observation_ptr& revision, addition as) {
  auto* in = part_of(x, number, as);
  if (in == nullptr)
    return;
  auto is_of_others = in == &x.others;
  auto& kept = in->revisions;
  auto known = kept.find(number);
  auto before = known != kept.end() && known->second ? memory_of(*known->second) : size_t{0};
  auto after = memory_of(*revision);
  if (has_room(x, is_of_others, before, after)) {
    count(x, is_of_others, before, after);
    kept[number] = revision;
    return;
  }
  ++in->left_out;
  if (!is_of_others)
    kept.try_emplace(number);
}

/// Turns of programs, and what others add, may take three quarters of the bytes. What others add
/// may take half of the bytes.
bool turn_ledger::has_room(const turn& x, bool is_of_others, size_t before, size_t after) const {
  auto fits = [&](size_t used, size_t limit) { return used - before + after <= limit; };
  return fits(bytes_, max_bytes_)
         && (!(is_of_others || is_program(x.begun.by))
             || fits(bytes_of_programs_, share_of_programs(max_bytes_)))
         && (!is_of_others || fits(bytes_of_others_, max_bytes_ / 2));
}

void turn_ledger::count(const turn& x, bool is_of_others, size_t before, size_t after) {
  bytes_ += after - before;
  if (is_of_others || is_program(x.begun.by))
    bytes_of_programs_ += after - before;
  if (is_of_others)
    bytes_of_others_ += after - before;
}

/// Whether the additions of `by` are limited: not those of the caller that began the turn, nor
/// those of the ensemble and its tools.
bool turn_ledger::is_from_another(const turn& x, const caller& by) {
  return by.outside && by.role != role::tool && !is_same_principal(x.begun.by, by);
}

caf::error turn_ledger::check_addition(const std::string& turn_id, const caller& by) const {
  auto i = turns_.find(turn_id);
  if (i == turns_.end() || !is_from_another(i->second, by)
      || i->second.additions_of_others < turn_limits::additions_of_others)
    return {};
  return too_many(turn_limits::additions_of_others,
    "observations in " + turn_id + " of callers that did not begin it");
}

void turn_ledger::count_addition(const std::string& turn_id, const caller& by) {
  if (auto i = turns_.find(turn_id); i != turns_.end() && is_from_another(i->second, by))
    ++i->second.additions_of_others;
}

bool turn_ledger::is_guarded(uint64_t number, const observation& x, const caller& by) const {
  auto i = turns_.find(x.source.turn_id);
  if (!by.outside || i == turns_.end() || !i->second.own.revisions.contains(number))
    return false;
  return !is_owner(by) && !(is_person(by) && by.name == i->second.begun.speaker);
}

void turn_ledger::expect(const std::string& causing_turn) {
  if (auto i = turns_.find(causing_turn); i != turns_.end())
    ++i->second.expected;
}

void turn_ledger::settle(const std::string& causing_turn) {
  // The turn may have been closed and opened again in between.
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

caf::expected<turn_so_far> turn_ledger::so_far(const std::string& turn_id) const {
  auto i = turns_.find(turn_id);
  if (i == turns_.end())
    return not_open(turn_id);
  const auto& x = i->second;
  return turn_so_far{listed(x.own.revisions), listed(x.others.revisions), x.own.left_out};
}

turn_ledger::closed turn_ledger::close(const std::string& turn_id) {
  closed result;
  auto node = turns_.extract(turn_id);
  if (node.empty())
    return result;
  auto& x = node.mapped();
  remember(turn_id, x.paid_by);
  result.own_left_out = x.own.left_out;
  result.left_out = x.own.left_out + x.others.left_out;
  for (auto* in : {&x.own, &x.others})
    for (const auto& [number, revision] : in->revisions)
      if (revision)
        count(x, in == &x.others, memory_of(*revision), 0);
  x.own.revisions.merge(x.others.revisions);
  result.observations = listed(x.own.revisions);
  result.waiters = std::move(x.waiters);
  return result;
}

} // namespace scratchpage
