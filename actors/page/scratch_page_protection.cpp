#include <algorithm>
#include <string>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/component_names.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_size.hpp"

/// What is never evicted, and for whom it counts: nobody from outside may fill a page with it.

namespace scratchpage {

bool scratch_page_state::is_protected_type(const observation& x) {
  return x.type == "pending_confirmation" || x.type == "alert" || x.type.ends_with("_alert");
}

/// Never evicted (contract 13): what is still to be answered or heeded, and the
/// evidence of an open goal.
bool scratch_page_state::is_protected(uint64_t number, const observation& x) const {
  return is_open(number, x) || is_evidence(number, x);
}

/// A question or an alert, unless it is beyond the share of whoever it counts for.
bool scratch_page_state::is_open(uint64_t number, const observation& x) const {
  return is_protected_type(x) && is_live(x.status) && !beyond_share_.contains(number);
}

/// Such as there is room for: not all that is linked to a goal is protected.
bool scratch_page_state::is_evidence(uint64_t number, const observation& x) const {
  return std::any_of(
    x.linked_goal_ids.begin(), x.linked_goal_ids.end(), [&](const std::string& id) {
      auto goal = protected_by_goal_.find(id);
      return goal != protected_by_goal_.end() && goal->second.contains(number);
    });
}

/// Keeps it on the page or lets it be evicted, as is right for what it is now, and counts it.
void scratch_page_state::update_protection(uint64_t number, const observation& x) {
  source_shares::guarded kept{shares_.of(x.source), 0, is_open(number, x), is_evidence(number, x)};
  auto is_kept = kept.is_open || kept.is_evidence;
  if (is_kept)
    kept.bytes = static_cast<int64_t>(memory_of(x));
  eviction_.protect(number, is_kept);
  shares_.guard(number, kept);
}

/// Evidence may be made longer, and may be evicted if there is no room for it any more.
void scratch_page_state::let_go_of_grown(uint64_t number, const observation& x) {
  if (!is_evidence(number, x) || has_room_for_evidence(shares_.of(x.source), 0))
    return;
  for (const auto& id : x.linked_goal_ids)
    if (auto goal = protected_by_goal_.find(id); goal != protected_by_goal_.end())
      goal->second.erase(number);
  update_protection(number, x);
}

/// Half of what is never evicted of a source is left for its questions and alerts.
bool scratch_page_state::has_room_for_evidence(source_shares::share of, size_t bytes) const {
  return bytes_by(of) + bytes <= setup_.limits.max_bytes_per_source / 2;
}

/// What is never evicted is for a source from outside to have only so much of. Whether its name
/// was checked is noted with all that it adds, since anything may become evidence.
caf::error scratch_page_state::check_share(const observation& x, size_t bytes, const caller& by) {
  if (!by.outside)
    return {};
  auto share = share_of(x.source, by);
  if (!is_protected_type(x))
    return {};
  if (open_by(share) >= setup_.limits.max_protected_per_source)
    return fail(errc::overloaded, "type",
      "expected at most " + std::to_string(setup_.limits.max_protected_per_source)
        + " open questions and alerts of " + whose(share, x.source)
        + ", with those that its turns have led to; resolve some first");
  return check_bytes(share, x.source, static_cast<int64_t>(bytes), "content");
}

/// Open questions and alerts may not grow beyond that either, and count while they are on their
/// way. Whoever resolves one makes room, whatever they add to it.
caf::error scratch_page_state::check_growth(
  change& planned, const observation& before, int64_t growth, const caller& by) {
  if (!by.outside || !is_open(planned.number, before) || !is_live(planned.after->status))
    return {};
  planned.protected_bytes = growth;
  return check_bytes(share_of(before.source, by), before.source, growth, "changes");
}

caf::error scratch_page_state::check_bytes(
  source_shares::share of, const source& x, int64_t growth, std::string_view field) const {
  auto most = setup_.limits.max_bytes_per_source;
  if (bytes_by(of) + static_cast<uint64_t>(growth) <= most)
    return {};
  return fail(errc::overloaded, field,
    "expected at most " + std::to_string(most) + " bytes of " + whose(of, x)
      + " that are never evicted: open questions and alerts, with those that its turns have led "
        "to, and evidence of open goals; resolve some first");
}

/// Who has that share, as an error says it.
std::string scratch_page_state::whose(source_shares::share of, const source& x) const {
  caller owner;
  owner.name = x.relayed_by.empty() ? x.name : x.relayed_by.text();
  owner.claimed = shares_.is_claimed(of);
  return principal_of(owner);
}

/// The share of a source; notes whether it is from outside, and whether nobody has checked its
/// name.
source_shares::share scratch_page_state::share_of(const source& x, const caller& by) {
  auto result = shares_.of(x);
  if (by.outside && x.kind == by.kind && x.name == by.name) {
    shares_.note_outside(result);
    if (by.claimed)
      shares_.claim(result);
  }
  return result;
}

/// Open questions and alerts, also those that its turns have led to.
uint64_t scratch_page_state::open_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(
    x, [&](source_shares::share one) { result += shares_.open(one) + shares_.charged(one); });
  return result;
}

uint64_t scratch_page_state::evidence_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(
    x, [&](source_shares::share one) { result += shares_.evidence(one); });
  return result;
}

/// Of all that is never evicted.
uint64_t scratch_page_state::bytes_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(x, [&](source_shares::share one) {
    result += shares_.guarded_bytes(one) + shares_.charged_bytes(one);
  });
  return result;
}

/// Who pays for a turn, if they come from outside.
turn_ledger::payer scratch_page_state::payer_of(const open_turn& x) {
  if (!x.begun_by || !x.begun_by->outside)
    return std::nullopt;
  return share_of(source{x.begun_by->kind, x.begun_by->name, {}, {}, {}}, *x.begun_by);
}

/// The program from outside that a goal would count for that the observation led to; "" if it is
/// none: what persons, the ensemble and the program that embeds it say.
std::string scratch_page_state::program_of(const observation& x, bool is_restored) {
  auto share = is_from_person(x) ? std::nullopt : speaks_for(x, is_restored);
  return share && !shares_.is_persons(*share) ? shares_.name(*share) : std::string{};
}

/// The ensemble and its tools speak for whoever began the turn. After a restart nobody knows which
/// names are those of the program that embeds the ensemble.
turn_ledger::payer scratch_page_state::speaks_for(const observation& x, bool is_restored) {
  auto is_daemon_of_ensemble = x.source.kind == source_kind::daemon && is_component(x.source.name);
  if (is_daemon_of_ensemble && x.source.turn_id.empty())
    return std::nullopt;
  if (is_daemon_of_ensemble || (is_from_tool(x) && !x.source.turn_id.empty())) {
    const auto* known = turns_.payer_of(x.source.turn_id);
    return known != nullptr ? *known : source_shares::unknown;
  }
  auto share = shares_.of(x.source);
  return is_restored || shares_.is_outside(share) ? turn_ledger::payer{share} : std::nullopt;
}

/// Of whoever puts it on the page, or of whoever made the ensemble do so.
void scratch_page_state::note_protected(change& planned, const caller& by) {
  if (by.outside)
    planned.protected_bytes = static_cast<int64_t>(planned.bytes);
  else if (!by.turn_id.empty())
    charge_asker(planned, by);
}

/// The ensemble is not refused what it has to ask and to report in a turn, but it counts for
/// whoever began the turn from outside.
void scratch_page_state::charge_asker(const change& planned, const caller& by) {
  const auto* known = turns_.payer_of(by.turn_id);
  auto payer = known != nullptr ? *known : source_shares::unknown;
  if (payer)
    charge(*payer, planned.number, static_cast<int64_t>(planned.bytes));
}

/// What is beyond a share may be evicted.
void scratch_page_state::charge(source_shares::share payer, uint64_t number, int64_t bytes) {
  if (open_by(payer) >= setup_.limits.max_protected_per_source) {
    beyond_share_.insert(number);
    return;
  }
  charged_.emplace(number, std::pair{payer, bytes});
  shares_.charge(payer, 1, bytes);
}

/// After a restart nobody knows who began the turns in which it came.
void scratch_page_state::charge_restored(uint64_t number, const observation& x, int64_t bytes) {
  if (is_protected_type(x) && is_live(x.status) && !x.source.turn_id.empty() && !is_from_person(x))
    charge(source_shares::unknown, number, bytes);
}

/// It is not protected any more, or never came to be on the page.
void scratch_page_state::forget_charge(uint64_t number) {
  beyond_share_.erase(number);
  if (auto node = charged_.extract(number); !node.empty())
    shares_.charge(node.mapped().first, -1, -node.mapped().second);
}

} // namespace scratchpage
