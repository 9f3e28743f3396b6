#include <algorithm>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

namespace {

/// Below every type's: resolved ones leave at the turn's end anyway.
constexpr int64_t resolved_weight = INT64_MIN / 2;

} // namespace

caf::error scratch_page_state::commit(
  std::span<change> changes, const caller& by, std::string_view operation, timestamp at) {
  if (changes.empty())
    return {};
  at = last_change_ = std::max(at, last_change_);
  auto& events = events_;
  events.clear();
  events.resize(changes.size());
  for (size_t i = 0; i < changes.size(); ++i) {
    events[i].sequence = log_.next() + i;
    events[i].kind = changes[i].kind;
    events[i].at = at;
    events[i].turn_id = by.turn_id;
    events[i].cause = by.cause;
    events[i].observation = changes[i].after;
  }
  if (auto err = setup_.journal->append(events)) {
    auto unavailable = fail(errc::storage_unavailable, "", describe(err));
    trace_.write_error(operation, by, unavailable);
    return unavailable;
  }
  for (size_t i = 0; i < changes.size(); ++i) {
    auto& x = changes[i];
    if (trace_.enabled()) {
      auto detail = std::move(x.detail);
      detail["sequence"] = events[i].sequence;
      detail["event"] = name_of(x.kind);
      detail["observation_id"] = x.after->observation_id;
      detail["observation_type"] = x.after->type;
      detail["observation"] = to_json(*x.after);
      events[i].cause =
        trace_.write(x.operation.empty() ? operation : x.operation, by, std::move(detail));
    }
    apply(x, std::move(events[i]));
  }
  return {};
}

void scratch_page_state::apply(const change& x, page_event event) {
  auto leaves = false;
  switch (x.kind) {
  case event_kind::added:
    index_.insert(x.number, x.after);
    eviction_.insert(x.number, setup_.weights.of(x.after->type));
    eviction_.protect(x.number, is_protected(*x.after));
    break;
  case event_kind::updated:
  case event_kind::linked:
    index_.replace(x.number, x.after);
    if (x.after->status == status::resolved) { // the first to go from now on
      eviction_.insert(x.number, resolved_weight);
      eviction_.protect(x.number, is_protected(*x.after));
    } else {
      eviction_.touch(x.number);
    }
    break;
  default:
    leaves = true;
  }
  if (leaves) {
    index_.erase(x.number);
    eviction_.erase(x.number);
    candidates_.erase(x.number);
    for (const auto& goal : x.after->linked_goal_ids)
      if (auto i = protected_by_goal_.find(goal); i != protected_by_goal_.end())
        i->second.erase(x.number);
    archive_.put(x.number, x.after, event.at);
  }
  turns_.note(event.turn_id, event.sequence, x.number, x.after);
  if (x.kind == event_kind::added || x.kind == event_kind::updated)
    judge(x.number, event);
  delivery_.note(log_.append(std::move(event)));
}

/// Decides whether a new or changed observation goes to the Frontal Cortex.
void scratch_page_state::judge(uint64_t number, const page_event& event) {
  const auto& x = event.observation;
  if (!is_live(x->status))
    return;
  auto decision = promotion_.judge(*x);
  auto promoted = decision.kind == promotion_kind::promote;
  if (!promoted && trace_.enabled())
    trace_kept(event, decision);
  if (!promoted && !x->linked_to_goal && x->context.if_contains("goal_id") == nullptr)
    return;
  auto is_taken = candidates_.offer(
    number, event.sequence, {x, promoted ? std::string{decision.rule_id()} : "", event.cause});
  if (!is_taken && trace_.enabled())
    trace_.write_error("judge_promotion", as_daemon("scratch_page", event.turn_id, event.cause),
      fail(errc::overloaded, "candidates", "too many wait for the Frontal Cortex"),
      {{"observation_id", x->observation_id}});
}

/// Why a rule that speaks of the observation does not promote it.
void scratch_page_state::trace_kept(const page_event& event, const promotion_decision& decision) {
  auto by = as_daemon("scratch_page", event.turn_id, event.cause);
  const auto& id = event.observation->observation_id;
  if (decision.kind == promotion_kind::below_threshold)
    trace_.write("judge_promotion", by,
      {{"observation_id", id}, {"rule_id", std::string{decision.rule_id()}},
        {"decision", "Observation below threshold"}});
  else if (decision.kind == promotion_kind::excluded)
    trace_.write(
      "judge_promotion", by, {{"observation_id", id}, {"decision", "Observation kept in scratch"}});
}

caf::error scratch_page_state::make_room(std::vector<change>& changes) {
  if (index_.size() >= setup_.limits.max_observations)
    expire(); // what is over leaves before anything else
  if (index_.size() < setup_.limits.max_observations)
    return {};
  auto victim = eviction_.victim();
  if (!victim)
    return fail(errc::overloaded, "max_observations",
      "expected at most " + std::to_string(setup_.limits.max_observations)
        + " observations; none of them may be evicted");
  auto x = *index_.find(*victim);
  x.status = status::evicted;
  x.updated_at = to_milliseconds(now());
  ++x.revision;
  changes.push_back({event_kind::evicted, *victim, observation_ptr{std::move(x)}, {}, "evict"});
  return {};
}

void scratch_page_state::expire() {
  auto at = to_milliseconds(now());
  auto chunk = setup_.limits.expiry_chunk;
  auto due = overdue_.empty() ? index_.due(at, chunk) : std::exchange(overdue_, {});
  std::vector<change> changes;
  for (auto number : due) {
    auto current = index_.find(number);
    if (!current)
      continue;
    auto x = *current;
    x.status = status::expired;
    changes.push_back({event_kind::expired, number, observation_ptr{std::move(x)}});
  }
  if (commit(changes, as_daemon("scratch_page"), "expire", now()))
    overdue_ = std::move(due); // kept, and offered to the journal again
  else
    expired_ += changes.size();
}

void scratch_page_state::settle() {
  delivery_.pump();
  forward_candidates();
  answer_waiters();
  arm_timer();
}

void scratch_page_state::forward_candidates() {
  if (!cortex_)
    return;
  auto batch = candidates_.take();
  if (batch.empty())
    return;
  ask(self_, cortex_, from_milliseconds(setup_.limits.acknowledge_ms),
    promotion_batch{std::move(batch)})
    .then(
      [this](const promotion_report& report) {
        candidates_.done(report.again);
        settle();
      },
      [this](const caf::error& err) {
        trace_.write_error("promote", as_daemon("scratch_page"), err);
        candidates_.failed();
        settle();
      });
}

void scratch_page_state::arm_timer() {
  constexpr timespan retry_storage = std::chrono::seconds{1};
  constexpr timespan longest = std::chrono::hours{1}; // a clock may be set; look again
  auto deadline = index_.next_deadline();
  if (overdue_.empty() && (!deadline || (timer_for_ && *timer_for_ <= *deadline)))
    return;
  auto at = now();
  if (!overdue_.empty())
    deadline = at + retry_storage;
  if (timer_for_ && *timer_for_ <= *deadline)
    return;
  timer_for_ = deadline;
  auto delay = std::clamp<timespan>(*deadline - at, timespan{0}, longest);
  self_->run_delayed(delay, [this, epoch = ++timer_epoch_] {
    if (epoch != timer_epoch_)
      return; // an earlier deadline came in between
    timer_for_.reset();
    expire();
    settle();
  });
}

} // namespace scratchpage
