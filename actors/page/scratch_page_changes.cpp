#include <algorithm>
#include <limits>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_size.hpp"

namespace scratchpage {

namespace {

/// Whose resolved ones are: they leave at the turn's end anyway, and so go before all others.
constexpr source_shares::share resolved_share = source_shares::most;

turn_ledger::addition addition_by(bool is_added, bool is_from_outside) {
  return !is_added         ? turn_ledger::addition::none
         : is_from_outside ? turn_ledger::addition::of_others
                           : turn_ledger::addition::of_ensemble;
}

} // namespace

void scratch_page_state::apply(std::span<change> todo, const caller& by, std::string_view operation,
  std::span<page_event> events) {
  for (size_t i = 0; i < todo.size(); ++i) {
    auto& x = todo[i];
    if (trace_.enabled()) {
      auto detail = std::move(x.detail);
      detail["sequence"] = events[i].sequence;
      detail["event"] = name_of(x.kind);
      trace_.write_reserved(events[i].cause, x.operation.empty() ? operation : x.operation, by,
        std::move(detail), "success", {}, x.after);
    }
    apply(x, std::move(events[i]));
  }
  share_memory();
}

void scratch_page_state::apply(const change& x, page_event event) {
  auto growth = growth_by(x, event.bytes);
  auto share = shares_.of(x.after->source);
  bytes_ += growth;
  shares_.count(share, (x.kind == event_kind::added) - is_end(x.kind), growth);
  switch (x.kind) {
  case event_kind::added:
    index_.insert(x.number, x.after);
    put_in_order(x.number, *x.after, share);
    applied_number_ = x.number;
    break;
  case event_kind::updated:
  case event_kind::linked:
    index_.replace(x.number, x.after);
    if (x.after->status == status::resolved) {
      forget_charge(x.number);
      put_in_order(x.number, *x.after, share); // the first to go from now on
    } else {
      eviction_.touch(x.number);
      update_protection(x.number, *x.after);
    }
    if (x.kind == event_kind::updated && growth > 0)
      let_go_of_grown(x.number, *x.after);
    break;
  default:
    expired_ += x.kind == event_kind::expired ? 1 : 0;
    evicted_ += x.kind == event_kind::evicted ? 1 : 0;
    index_.erase(x.number);
    eviction_.erase(x.number);
    shares_.guard(x.number, {});
    forget_charge(x.number);
    candidates_.erase(x.number);
    for (const auto& goal : x.after->linked_goal_ids)
      if (auto i = protected_by_goal_.find(goal); i != protected_by_goal_.end())
        i->second.erase(x.number);
    archive_.put(x.number, x.after, event.at);
  }
  turns_.note(event.turn_id, event.sequence, x.number, x.after,
    addition_by(x.kind == event_kind::added, x.is_from_outside));
  if (x.kind == event_kind::added || x.kind == event_kind::updated)
    judge(x.number, event);
  delivery_.note(log_.append(std::move(event)));
}

/// Where it stands among those that may be evicted. Those that are resolved stand by themselves,
/// whosever they are.
void scratch_page_state::put_in_order(
  uint64_t number, const observation& x, source_shares::share share) {
  if (x.status == status::resolved)
    eviction_.insert(number, 0, resolved_share);
  else
    eviction_.insert(number, setup_.weights.of(x.type), share);
  update_protection(number, x);
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
  auto left_out = candidates_.offer(number, event.sequence,
    {x, promoted ? std::string{decision.rule_id()} : "", event.cause,
      program_of(*x, event.sequence == 0)});
  if (left_out && trace_.enabled())
    trace_.write_error("judge_promotion", as_daemon("scratch_page", event.turn_id, event.cause),
      fail(errc::overloaded, "candidates", "too many wait for the Frontal Cortex"),
      {{"observation_id", left_out->observation_id}});
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

/// By how much the page grows when the change is applied, whose observation has so many bytes.
int64_t scratch_page_state::growth_by(const change& x, size_t bytes) const {
  auto before = x.kind == event_kind::added ? observation_ptr{} : index_.find(x.number);
  auto after = is_end(x.kind) ? size_t{0} : bytes;
  return static_cast<int64_t>(after) - static_cast<int64_t>(before ? memory_of(*before) : 0);
}

caf::error scratch_page_state::make_room(
  changes& todo, int64_t more, int64_t bytes, uint64_t spared) {
  auto most = static_cast<double>(most_bytes());
  auto has_room = [&] { // once what is on its way has arrived
    return static_cast<int64_t>(index_.size()) + staged_growth_ + more
             <= static_cast<int64_t>(setup_.limits.max_observations)
           && bytes_with_index(bytes_ + staged_bytes_ + bytes) <= most;
  };
  if (has_room())
    return {};
  expire(); // what is over leaves before anything else
  std::set<uint64_t> leaving{spared};
  while (!has_room()) {
    if (auto err = evict_one(todo, leaving))
      return err;
    --more;
    bytes += growth_by(todo.back(), 0);
    leaving.insert(todo.back().number);
  }
  return {};
}

/// Half of what the page may take in all is for what is on it.
uint64_t scratch_page_state::most_bytes() const {
  return std::min(setup_.limits.max_bytes, memory_.most() / 2);
}

/// What so many bytes of observations take with their words in the index, of which each has as
/// much as its bytes.
double scratch_page_state::bytes_with_index(int64_t of_observations) const {
  auto words = static_cast<double>(index_.text_bytes());
  return static_cast<double>(of_observations) * (1 + words / static_cast<double>(bytes_ + 1));
}

/// After a change: tells the other pages, and makes do with what they leave. A quarter is for what
/// can be told again, one for the results of turns.
void scratch_page_state::share_memory() {
  memory_.is(static_cast<uint64_t>(bytes_) + index_.text_bytes() + log_.bytes() + turns_.bytes());
  auto part = memory_.most() / 4;
  log_.keep_within(std::min(setup_.limits.log_bytes, part));
  turns_.keep_within(std::min(setup_.limits.turn_bytes, part));
  auto most = most_bytes();
  auto left = most - std::min(most, static_cast<uint64_t>(bytes_));
  index_.keep_texts_within(std::max(left, most / 8));
}

/// Which part of the page a share has; of those that have to give, whoever has the most. A
/// person's own goes last, so that no program's flood can wash it away.
double scratch_page_state::claim_of(source_shares::share x) const {
  if (x == resolved_share)
    return std::numeric_limits<double>::infinity();
  auto observations = static_cast<double>(shares_.observations(x));
  auto bytes = static_cast<double>(shares_.bytes(x));
  auto part = std::max(observations / static_cast<double>(setup_.limits.max_observations),
    bytes / static_cast<double>(setup_.limits.max_bytes));
  constexpr double behind_all_others = 1'000;
  return shares_.is_persons(x) ? part - behind_all_others : part;
}

caf::error scratch_page_state::evict_one(changes& todo, const std::set<uint64_t>& spared) {
  auto is_spared = [&](
                     uint64_t number) { return busy_.contains(number) || spared.contains(number); };
  auto victim = eviction_.victim(is_spared, [this](source_shares::share x) { return claim_of(x); });
  if (!victim)
    return fail(errc::overloaded, "max_observations",
      "expected at most " + std::to_string(setup_.limits.max_observations) + " observations of "
        + std::to_string(most_bytes()) + " bytes; none of them may be evicted");
  auto x = *index_.find(*victim);
  x.status = status::evicted;
  x.updated_at = to_milliseconds(now());
  ++x.revision;
  todo.push_back({event_kind::evicted, *victim, observation_ptr{std::move(x)}, {}, "evict"});
  return {};
}

void scratch_page_state::expire() {
  auto at = now();
  auto due = index_.due(to_milliseconds(at), setup_.limits.expiry_chunk);
  if (due.empty() && agent_.clock->steady() >= retry_overdue_)
    due = std::exchange(overdue_, {});
  changes todo;
  for (auto number : due) {
    auto current = index_.find(number);
    if (!current)
      continue;
    if (busy_.contains(number)) { // whatever is on its way comes first
      keep_overdue({number});
      continue;
    }
    auto x = *current;
    x.status = status::expired;
    todo.push_back({event_kind::expired, number, observation_ptr{std::move(x)}});
  }
  std::vector<uint64_t> ending;
  for (const auto& x : todo)
    ending.push_back(x.number);
  commit(std::move(todo), as_daemon("scratch_page"), "expire",
    [this, ending = std::move(ending)](const caf::error& err) {
      if (err) // kept, and offered to the journal again
        keep_overdue(ending);
    });
}

void scratch_page_state::archive_aged() {
  auto age = from_minutes(setup_.limits.archive_after_days * 24 * 60);
  observation_filter old;
  old.status = {status::active, status::pending_review, status::resolved};
  old.created_before = ages_.now() - age;
  index_query wanted;
  wanted.filter = &old;
  wanted.limit = UINT32_MAX;
  wanted.now = now();
  changes todo;
  for (auto number : index_.query(wanted).numbers) {
    auto x = index_.find(number);
    if (x->updated_at < *old.created_before && !is_protected(number, *x) && !busy_.contains(number))
      todo.push_back(archive_of(number));
  }
  // What storage refuses is found again an hour later.
  commit(std::move(todo), as_daemon("scratch_page"), "archive_aged", [](const caf::error&) {});
}

void scratch_page_state::keep_overdue(const std::vector<uint64_t>& numbers) {
  constexpr timespan pause = std::chrono::seconds{1};
  overdue_.insert(overdue_.end(), numbers.begin(), numbers.end());
  retry_overdue_ = agent_.clock->steady() + pause;
}

void scratch_page_state::settle() {
  delivery_.pump();
  forward_candidates();
  answer_waiters();
  keep_positions();
  arm_timer();
}

/// At most one write at a time, so that they cost a commit now and then and not
/// one for each acknowledgement. What storage refuses goes with the next.
void scratch_page_state::keep_positions() {
  if (keeping_positions_ || setup_.durability.durability == durability::none)
    return;
  auto changed = positions_.take_changed();
  if (changed.empty())
    return;
  keeping_positions_ = true;
  keep_documents request{setup_.owner.agent, setup_.owner.epoch, setup_.owner.claim, changed};
  ask(self_, setup_.journal, from_milliseconds(setup_.durability.save_ms), std::move(request))
    .then(
      [this] {
        keeping_positions_ = false;
        keep_positions();
      },
      [this, changed](const caf::error& err) {
        keeping_positions_ = false;
        positions_.put_back(changed);
        trace_.write_error("keep_positions", as_daemon("scratch_page"), err);
      });
}

void scratch_page_state::forward_candidates() {
  if (!cortex_ || !candidates_.has_waiting() || must_hold_candidates())
    return;
  auto batch = candidates_.take(setup_.limits.batch_size);
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

/// What was on its way to storage when a candidate became visible may belong to
/// the same goal: it goes along, and nothing later does.
bool scratch_page_state::must_hold_candidates() {
  if (!forward_after_)
    forward_after_ = next_sequence_ - 1;
  if (not_visible_ > 0 && log_.next() <= *forward_after_)
    return true;
  forward_after_.reset();
  return false;
}

void scratch_page_state::arm_timer() {
  constexpr timespan longest = std::chrono::hours{1}; // a clock may be set; look again
  arm_aging();
  auto deadline = index_.next_deadline();
  if (!overdue_.empty()) {
    auto retry = now() + std::max(retry_overdue_ - agent_.clock->steady(), timespan{0});
    deadline = std::min(deadline.value_or(retry), retry);
  }
  if (!deadline || (timer_for_ && *timer_for_ <= *deadline))
    return;
  timer_for_ = deadline;
  auto delay = std::clamp<timespan>(*deadline - now(), timespan{0}, longest);
  self_->run_delayed(delay, [this, epoch = ++timer_epoch_] {
    if (epoch != timer_epoch_)
      return; // an earlier deadline came in between
    timer_for_.reset();
    expire();
    settle();
  });
}

/// By no clock that is set: everything would be old after a year that never was.
void scratch_page_state::arm_aging() {
  constexpr timespan pause = std::chrono::hours{1};
  if (setup_.limits.archive_after_days <= 0 || index_.size() == 0)
    return;
  if (std::exchange(is_aging_soon_, true))
    return;
  self_->run_delayed(pause, [this] {
    is_aging_soon_ = false;
    archive_aged();
    settle();
  });
}

} // namespace scratchpage
