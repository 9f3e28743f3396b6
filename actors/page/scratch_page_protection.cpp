#include <algorithm>
#include <string>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/error.hpp"

/// What is never evicted, and for whom it counts: nobody from outside may fill a page with it.

namespace scratchpage {

bool scratch_page_state::is_protected_type(const observation& x) {
  return x.type == "pending_confirmation" || x.type == "alert" || x.type.ends_with("_alert");
}

/// Never evicted (contract 13): what is still to be answered or heeded, and the
/// evidence of an open goal.
bool scratch_page_state::is_protected(uint64_t number, const observation& x) const {
  return (is_protected_type(x) && is_live(x.status) && !beyond_share_.contains(number))
         || is_evidence(number, x);
}

/// Such as there is room for: not all that is linked to a goal is protected.
bool scratch_page_state::is_evidence(uint64_t number, const observation& x) const {
  return std::any_of(
    x.linked_goal_ids.begin(), x.linked_goal_ids.end(), [&](const std::string& id) {
      auto goal = protected_by_goal_.find(id);
      return goal != protected_by_goal_.end() && goal->second.contains(number);
    });
}

/// What is never evicted is for a source from outside to have only so much of.
caf::error scratch_page_state::check_share(const observation& x, size_t bytes, const caller& by) {
  if (!by.outside || !is_protected_type(x))
    return {};
  auto share = share_of(x.source, by);
  if (protected_by(share) >= setup_.limits.max_protected_per_source)
    return fail(errc::overloaded, "type",
      "expected at most " + std::to_string(setup_.limits.max_protected_per_source)
        + " open questions and alerts of " + principal_of(by) + "; resolve some first");
  return check_bytes(share, static_cast<int64_t>(bytes), by, "content");
}

/// What is protected already may not grow beyond that either, and counts while it is on its way.
caf::error scratch_page_state::check_growth(
  change& planned, const observation& before, int64_t growth, const caller& by) {
  if (!by.outside || !is_protected(planned.number, before))
    return {};
  planned.protected_bytes = growth;
  return check_bytes(share_of(before.source, by), growth, by, "changes");
}

caf::error scratch_page_state::check_bytes(
  source_shares::share of, int64_t growth, const caller& by, std::string_view field) const {
  auto most = setup_.limits.max_bytes_per_source;
  if (bytes_by(of) + static_cast<uint64_t>(growth) <= most)
    return {};
  return fail(errc::overloaded, field,
    "expected at most " + std::to_string(most) + " bytes of " + principal_of(by)
      + " with its open questions and alerts; resolve some first");
}

/// The share of a source; notes whether it is one that nobody has checked the name of.
source_shares::share scratch_page_state::share_of(const source& x, const caller& by) {
  auto result = shares_.of(x);
  if (by.claimed && x.kind == by.kind && x.name == by.name)
    shares_.claim(result);
  return result;
}

uint64_t scratch_page_state::protected_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(x, [&](source_shares::share one) {
    result += eviction_.protected_of(one) + shares_.charged(one);
  });
  return result;
}

uint64_t scratch_page_state::bytes_by(source_shares::share x) const {
  uint64_t result = 0;
  shares_.for_each_of_principal(x,
    [&](source_shares::share one) { result += shares_.bytes(one) + shares_.charged_bytes(one); });
  return result;
}

/// Who pays for a turn, if they come from outside.
turn_ledger::payer scratch_page_state::payer_of(const open_turn& x) {
  if (!x.begun_by || !x.begun_by->outside)
    return std::nullopt;
  return share_of(source{x.begun_by->kind, x.begun_by->name, {}, {}, {}}, *x.begun_by);
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
  if (protected_by(payer) >= setup_.limits.max_protected_per_source) {
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
