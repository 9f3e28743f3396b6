#include <algorithm>
#include <limits>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

namespace {

/// The share that all resolved observations have in the eviction order. They are evicted first,
/// because they leave the page at the end of the turn anyway.
constexpr source_shares::share resolved_share = source_shares::max_shares;

turn_ledger::addition addition_by(bool is_added, bool is_from_outside) {
  return !is_added         ? turn_ledger::addition::none
         : is_from_outside ? turn_ledger::addition::of_others
                           : turn_ledger::addition::of_ensemble;
}

} // namespace

void scratch_page_state::apply(std::span<page_change> todo, const caller& by,
  std::string_view operation, std::span<page_event> events) {
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

void scratch_page_state::apply(const page_change& x, page_event event) {
  auto growth = growth_by(x, event.bytes);
  auto share = protection_.shares().of(x.after->source);
  counts_.bytes += growth;
  protection_.shares().count(share, (x.kind == event_kind::added) - is_end(x.kind), growth);
  switch (x.kind) {
  case event_kind::added:
    index_.insert(x.number, x.after);
    put_in_order(x.number, *x.after, share);
    ids_.note_applied(x.number);
    break;
  case event_kind::updated:
  case event_kind::linked:
    index_.replace(x.number, x.after);
    if (x.after->status == status::resolved) {
      protection_.forget_charge(x.number);
      put_in_order(x.number, *x.after, share); // moves to the resolved ones
    } else {
      eviction_.touch(x.number);
      protection_.update(x.number, *x.after);
    }
    if (x.kind == event_kind::updated && growth > 0)
      protection_.release_grown(x.number, *x.after);
    break;
  default:
    forget(x, event.at);
  }
  turns_.note(event.turn_id, event.sequence, x.number, x.after,
    addition_by(x.kind == event_kind::added, x.is_from_outside));
  if (x.kind == event_kind::added || x.kind == event_kind::updated)
    judge(x.number, event);
  if (event.request)
    keys_.keep(*event.request, event.sequence, event.observation);
  keys_.note(event.sequence);
  delivery_.note(log_.append(std::move(event)));
}

/// Moves an observation that has left the page to the archive.
void scratch_page_state::forget(const page_change& x, timestamp at) {
  counts_.expired += x.kind == event_kind::expired ? 1 : 0;
  counts_.evicted += x.kind == event_kind::evicted ? 1 : 0;
  index_.erase(x.number);
  eviction_.erase(x.number);
  protection_.forget(x.number, *x.after);
  candidates_.erase(x.number);
  archive_.put(x.number, x.after, at);
}

/// Puts an observation into the eviction order. Resolved observations of all sources have a share
/// of their own there.
void scratch_page_state::put_in_order(
  uint64_t number, const observation& x, source_shares::share share) {
  if (x.status == status::resolved)
    eviction_.insert(number, 0, resolved_share);
  else
    eviction_.insert(number, setup_.weights->of(x.type), share);
  protection_.update(number, x);
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
  const auto& program = protection_.program_of(*x, event.sequence == 0);
  // While the queue is full, nothing is made of an observation that would be left out.
  auto left_out = candidates_.has_room_for(number, program)
                    ? candidates_.offer(number, event.sequence,
                      {x, promoted ? std::string{decision.rule_id()} : "", event.cause, program})
                    : x;
  if (left_out && trace_.enabled())
    trace_.write_error("judge_promotion", as_daemon("scratch_page", event.turn_id, event.cause),
      fail(errc::overloaded, "candidates", "too many candidates wait for the Frontal Cortex"),
      {{"observation_id", left_out->observation_id}});
}

/// Traces why a rule that applies to the observation does not promote it.
void scratch_page_state::trace_kept(const page_event& event, const promotion_decision& decision) {
  auto by = as_daemon("scratch_page", event.turn_id, event.cause);
  const auto& id = event.observation->observation_id;
  if (decision.kind == promotion_kind::below_threshold)
    trace_.write("judge_promotion", by,
      {{"observation_id", id}, {"rule_id", std::string{decision.rule_id()}},
        {"decision", "Observation below threshold"}});
  else if (decision.kind == promotion_kind::excluded || decision.kind == promotion_kind::not_worth)
    trace_.write(
      "judge_promotion", by, {{"observation_id", id}, {"decision", "Observation kept in scratch"}});
}

/// By how many bytes the page grows when the change is applied. `bytes` is the size of the
/// observation after the change.
int64_t scratch_page_state::growth_by(const page_change& x, size_t bytes) const {
  auto before = x.kind == event_kind::added ? observation_ptr{} : index_.find(x.number);
  auto after = is_end(x.kind) ? size_t{0} : bytes;
  return static_cast<int64_t>(after) - static_cast<int64_t>(before ? memory_of(*before) : 0);
}

caf::error scratch_page_state::make_room(
  page_changes& todo, int64_t more, int64_t bytes, uint64_t spared) {
  auto limit = static_cast<double>(max_bytes());
  auto has_room = [&] { // also for the changes that are on their way
    return static_cast<int64_t>(index_.size()) + commits_.staged_growth() + more
             <= static_cast<int64_t>(setup_.limits.max_observations)
           && bytes_with_index(counts_.bytes + commits_.staged_bytes() + bytes) <= limit;
  };
  if (has_room())
    return {};
  expire(); // before other observations are evicted
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

/// The bytes that the observations on the page may take: at most half of the page's memory.
uint64_t scratch_page_state::max_bytes() const {
  return std::min(setup_.limits.max_bytes, memory_.limit() / 2);
}

/// The bytes that observations take together with their part of the text index, which is divided in
/// proportion to their bytes.
double scratch_page_state::bytes_with_index(int64_t of_observations) const {
  auto words = static_cast<double>(index_.text_bytes());
  return static_cast<double>(of_observations)
         * (1 + words / static_cast<double>(counts_.bytes + 1));
}

/// Reports the memory of this page to the others, and adapts the limits to what they leave. The log
/// may take a quarter of the page's memory, and so may the results of turns.
void scratch_page_state::share_memory() {
  heap_.note(static_cast<uint64_t>(counts_.bytes));
  memory_.set(static_cast<uint64_t>(counts_.bytes) + index_.text_bytes() + log_.bytes()
              + keys_.bytes() + turns_.bytes());
  auto part = memory_.limit() / 4;
  log_.keep_within(std::min(setup_.limits.log_bytes, part));
  keys_.keep_within(std::min(setup_.limits.log_bytes, part));
  turns_.keep_within(std::min(setup_.limits.turn_bytes, part));
  auto limit = max_bytes();
  auto left = limit - std::min(limit, static_cast<uint64_t>(counts_.bytes));
  index_.keep_texts_within(std::max(left, limit / page_memory::text_share));
}

/// The part of the page that a share takes; the share with the largest part gives up room first.
/// Shares of persons come last, so that no program can push out the observations of persons.
double scratch_page_state::claim_of(source_shares::share x) const {
  if (x == resolved_share)
    return std::numeric_limits<double>::infinity();
  const auto& shares = protection_.shares();
  auto observations = static_cast<double>(shares.observations(x));
  auto bytes = static_cast<double>(shares.bytes(x));
  auto part = std::max(observations / static_cast<double>(setup_.limits.max_observations),
    bytes / static_cast<double>(setup_.limits.max_bytes));
  constexpr double after_all_others = 1'000;
  return shares.is_persons(x) ? part - after_all_others : part;
}

caf::error scratch_page_state::evict_one(page_changes& todo, const std::set<uint64_t>& spared) {
  auto is_spared = [&](uint64_t number) {
    return commits_.is_busy(number) || spared.contains(number);
  };
  auto victim = eviction_.victim(is_spared, [this](source_shares::share x) { return claim_of(x); });
  if (!victim)
    return fail(errc::overloaded, "max_observations",
      "expected at most " + std::to_string(setup_.limits.max_observations) + " observations in "
        + std::to_string(max_bytes()) + " bytes; none of those on the page may be evicted");
  auto x = *index_.find(*victim);
  x.status = status::evicted;
  x.updated_at = to_milliseconds(now());
  ++x.revision;
  todo.push_back({event_kind::evicted, *victim, observation_ptr{std::move(x)}, {}, "evict"});
  return {};
}

void scratch_page_state::expire() {
  auto due = index_.due(to_milliseconds(now()), setup_.limits.expiry_chunk);
  if (due.empty())
    due = timer_.take_overdue();
  end_expired(due, {});
}

void scratch_page_state::end_expired(
  const std::vector<uint64_t>& due, const std::function<timestamp(const observation&)>& time_of) {
  page_changes todo;
  for (auto number : due) {
    auto current = index_.find(number);
    if (!current)
      continue;
    if (commits_.is_busy(number)) { // the change that is on its way comes first
      timer_.put_off({number});
      continue;
    }
    auto x = *current;
    x.status = status::expired;
    todo.push_back({event_kind::expired, number, observation_ptr{std::move(x)}});
    if (time_of)
      todo.back().at = time_of(*current);
  }
  std::vector<uint64_t> ending;
  for (const auto& x : todo)
    ending.push_back(x.number);
  commit(std::move(todo), as_daemon("scratch_page"), "expire",
    [this, ending = std::move(ending)](const caf::error& err) {
      if (err) // it stays on the page, and its end is offered to the journal again
        timer_.put_off(ending);
    });
}

timespan scratch_page_state::aging_age() const {
  return from_minutes(setup_.limits.archive_after_days * 24 * 60);
}

std::vector<uint64_t> scratch_page_state::unguarded(
  std::optional<timestamp> created_before, timestamp at) {
  observation_filter old;
  old.status = {status::active, status::pending_review, status::resolved};
  old.created_before = created_before;
  index_query wanted;
  wanted.filter = &old;
  wanted.limit = UINT32_MAX;
  wanted.now = at;
  auto result = index_.query(wanted).numbers;
  std::erase_if(result, [this](uint64_t number) {
    return protection_.is_protected(number, *index_.find(number)) || commits_.is_busy(number);
  });
  return result;
}

void scratch_page_state::archive_aged(timestamp at) {
  auto before = std::min(at, timer_.age_time()) - aging_age();
  page_changes todo;
  for (auto number : unguarded(before, at)) {
    if (index_.find(number)->updated_at >= before)
      continue;
    todo.push_back(archive_of(number, at));
    todo.back().at = to_milliseconds(at);
  }
  // Changes that storage refuses are found again an hour later.
  commit(std::move(todo), as_daemon("scratch_page"), "archive_aged", [](const caf::error&) {});
}

void scratch_page_state::settle() {
  delivery_.pump();
  forward_candidates();
  answer_waiters();
  keep_positions();
  index_texts();
  arm_timer();
}

/// Stores the positions that have changed, with at most one write at a time, so that not every
/// acknowledgement costs a commit. Positions that storage refuses go with the next write.
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
  if (!cortex_ || !candidates_.has_waiting())
    return;
  if (candidates_.must_hold(commits_.last_sequence(), log_.next() - 1, commits_.staged() > 0))
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

void scratch_page_state::arm_timer() {
  arm_aging();
  auto next = timer_.arm(index_.next_deadline());
  if (!next)
    return;
  expiry_.start(self_, next->delay, [this, epoch = next->epoch] {
    if (!timer_.is_current(epoch))
      return;
    expire();
    settle();
  });
}

/// Whether no observation is left when the staged changes have arrived.
bool scratch_page_state::becomes_empty() const {
  return static_cast<int64_t>(index_.size()) + commits_.staged_growth() <= 0;
}

void scratch_page_state::arm_aging() {
  if (setup_.limits.archive_after_days <= 0 || becomes_empty())
    return;
  if (timer_.begin_aging())
    start_aging();
}

void scratch_page_state::start_aging() {
  auto pause = *timer_.aging_at() - agent_.clock->steady();
  aging_.start(self_, std::max(pause, timespan::zero()), [this] {
    timer_.end_aging();
    archive_aged(now());
    settle();
  });
}

} // namespace scratchpage
