#include "scratchpage/actors/page/protection.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/error.hpp"

namespace scratchpage {

bool protection::is_protected_type(const observation& x) {
  return x.type == "pending_confirmation" || x.type == "alert" || x.type.ends_with("_alert");
}

/// Whether it is an open question or alert that is protected: not one beyond the share that it
/// counts for.
bool protection::is_open(uint64_t number, const observation& x) const {
  return is_protected_type(x) && is_live(x.status) && !beyond_share_.contains(number);
}

/// Whether it is protected evidence. Not every observation that is linked to a goal is.
bool protection::is_evidence(uint64_t number, const observation& x) const {
  return evidence_.contains(number, x.linked_goal_ids);
}

void protection::update(uint64_t number, const observation& x) {
  source_shares::guarded kept{shares_.of(x.source), 0, is_open(number, x), is_evidence(number, x)};
  auto is_kept = kept.is_open || kept.is_evidence;
  if (is_kept)
    kept.bytes = static_cast<int64_t>(memory_of(x));
  order_.protect(number, is_kept);
  shares_.guard(number, kept);
}

void protection::release_grown(uint64_t number, const observation& x) {
  if (!is_evidence(number, x) || has_room_for_evidence(shares_.of(x.source), 0))
    return;
  evidence_.remove(x.linked_goal_ids, number);
  update(number, x);
}

void protection::forget(uint64_t number, const observation& x) {
  shares_.guard(number, {});
  forget_charge(number);
  evidence_.remove(x.linked_goal_ids, number);
}

/// Whether a source has room for more evidence. Evidence may take half of the protected bytes of
/// the source, so that room is left for its questions and alerts.
bool protection::has_room_for_evidence(source_shares::share of, size_t bytes) const {
  return bytes_by(of) + bytes <= limits_.max_bytes_per_source / 2;
}

caf::error protection::check_share(const observation& x, size_t bytes, const caller& by) {
  if (!by.outside)
    return {};
  auto share = share_of(x.source, by);
  if (!is_protected_type(x))
    return {};
  if (open_by(share) >= limits_.max_protected_per_source)
    return fail(errc::overloaded, "type",
      "expected at most " + std::to_string(limits_.max_protected_per_source)
        + " open questions and alerts of " + whose(share, x.source)
        + ", including those from its turns; resolve some first");
  return check_bytes(share, x.source, static_cast<int64_t>(bytes), "content");
}

/// A change that resolves a question or an alert is always allowed, because it makes room.
caf::error protection::check_growth(
  page_change& planned, const observation& before, int64_t growth, const caller& by) {
  if (!by.outside || !is_open(planned.number, before) || !is_live(planned.after->status))
    return {};
  planned.protected_bytes = growth;
  return check_bytes(share_of(before.source, by), before.source, growth, "changes");
}

caf::error protection::check_bytes(
  source_shares::share of, const source& x, int64_t growth, std::string_view field) const {
  auto limit = limits_.max_bytes_per_source;
  if (bytes_by(of) + static_cast<uint64_t>(growth) <= limit)
    return {};
  return fail(errc::overloaded, field,
    "expected at most " + std::to_string(limit) + " bytes of " + whose(of, x)
      + " that are never evicted: open questions and alerts, including those from its turns, and "
        "evidence of open goals; resolve some first");
}

/// The owner of a share, for the text of an error.
std::string protection::whose(source_shares::share of, const source& x) const {
  caller owner;
  owner.name = x.relayed_by.empty() ? x.name : x.relayed_by.text();
  owner.claimed = shares_.is_claimed(of);
  return principal_of(owner);
}

source_shares::share protection::share_of(const source& x, const caller& by) {
  auto result = shares_.of(x);
  if (by.outside && x.kind == by.kind && x.name == by.name) {
    shares_.note_outside(result);
    if (by.claimed)
      shares_.claim(result);
  }
  return result;
}

/// The number of open questions and alerts, including those from the turns of the source.
uint64_t protection::open_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(
    x, [&](source_shares::share one) { result += shares_.open(one) + shares_.charged(one); });
  return result;
}

uint64_t protection::evidence_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(
    x, [&](source_shares::share one) { result += shares_.evidence(one); });
  return result;
}

/// The bytes of all that is protected.
uint64_t protection::bytes_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(x, [&](source_shares::share one) {
    result += shares_.guarded_bytes(one) + shares_.charged_bytes(one);
  });
  return result;
}

turn_ledger::payer protection::payer_of(const open_turn& x) {
  if (!x.begun_by || !x.begun_by->outside)
    return std::nullopt;
  return share_of(source{x.begun_by->kind, x.begun_by->name, {}, {}, {}}, *x.begun_by);
}

const std::string& protection::program_of(const observation& x, bool is_restored) {
  static const std::string none;
  auto share = is_from_person(x) ? std::nullopt : speaks_for(x, is_restored);
  return share && !shares_.is_persons(*share) ? shares_.name(*share) : none;
}

/// The share from outside that an observation comes from. Observations of the ensemble and its
/// tools in a turn come from the caller that began the turn. After a restart every other source
/// counts as one from outside, because the names of the embedding program are not known.
turn_ledger::payer protection::speaks_for(const observation& x, bool is_restored) {
  auto is_daemon_of_ensemble = is_of_ensemble(x.source);
  if (is_daemon_of_ensemble && x.source.turn_id.empty())
    return std::nullopt;
  if (is_daemon_of_ensemble || (is_from_tool(x) && !x.source.turn_id.empty())) {
    const auto* known = turns_.payer_of(x.source.turn_id);
    return known != nullptr ? *known : source_shares::unknown;
  }
  auto share = shares_.of(x.source);
  return is_restored || shares_.is_outside(share) ? turn_ledger::payer{share} : std::nullopt;
}

void protection::note_planned(page_change& planned, const caller& by) {
  if (by.outside)
    planned.protected_bytes = static_cast<int64_t>(planned.bytes);
  else if (!by.turn_id.empty())
    charge_asker(planned, by);
}

void protection::count_staged(const page_changes& changes, int64_t sign) {
  for (const auto& x : changes)
    if (x.protected_bytes != 0)
      shares_.charge(shares_.of(x.after->source), x.kind == event_kind::added ? sign : 0,
        sign * x.protected_bytes);
}

/// Charges the caller from outside that began the turn. The ensemble itself is never refused a
/// question or an alert.
void protection::charge_asker(const page_change& planned, const caller& by) {
  const auto* known = turns_.payer_of(by.turn_id);
  auto payer = known != nullptr ? *known : source_shares::unknown;
  if (payer)
    charge(*payer, planned.number, static_cast<int64_t>(planned.bytes));
}

/// Charges a share. An observation beyond the share is not charged and may be evicted.
void protection::charge(source_shares::share payer, uint64_t number, int64_t bytes) {
  if (open_by(payer) >= limits_.max_protected_per_source) {
    beyond_share_.insert(number);
    return;
  }
  charged_.emplace(number, std::pair{payer, bytes});
  shares_.charge(payer, 1, bytes);
}

void protection::charge_restored(uint64_t number, const observation& x, int64_t bytes) {
  if (is_protected_type(x) && is_live(x.status) && !x.source.turn_id.empty() && !is_from_person(x))
    charge(source_shares::unknown, number, bytes);
}

void protection::forget_charge(uint64_t number) {
  beyond_share_.erase(number);
  if (auto node = charged_.extract(number); !node.empty())
    shares_.charge(node.mapped().first, -1, -node.mapped().second);
}

uint64_t protection::memory::bytes() const {
  constexpr uint64_t of_entry = 64;
  return shares.memory() + evidence.memory() + (charges.size() + beyond_share.size()) * of_entry;
}

protection::memory protection::take_memory() {
  return {std::move(shares_), std::move(evidence_), std::move(charged_), std::move(beyond_share_)};
}

void protection::restore(memory x) {
  shares_ = std::move(x.shares);
  evidence_ = std::move(x.evidence);
  charged_ = std::move(x.charges);
  beyond_share_ = std::move(x.beyond_share);
}

void protection::add_evidence(const std::string& goal_id, uint64_t number, const observation& x) {
  if (!may_protect(goal_id, number, x))
    return;
  evidence_.add(goal_id, number);
  update(number, x);
}

bool protection::may_protect(const std::string& goal_id, uint64_t number, const observation& x) {
  if (evidence_.is_full(goal_id))
    return false;
  if (is_evidence(number, x))
    return true;
  auto share = shares_.of(x.source);
  auto more = is_open(number, x) ? 0 : memory_of(x); // bytes of open ones count already
  return evidence_by(share) < limits_.max_protected_per_source
         && has_room_for_evidence(share, more);
}

} // namespace scratchpage
