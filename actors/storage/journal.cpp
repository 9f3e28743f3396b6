#include "scratchpage/actors/storage/journal.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/journal.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

journal_append to_append(const append_events& x) {
  return {{x.agent, x.epoch, x.claim}, x.after, to_group(x.events), to_archive(x.events)};
}

/// Changes by which one step advances a snapshot while there are commits; a larger group of changes
/// is one step. Steps are short so that they hardly delay other work on the same core.
constexpr uint64_t step_by_force = 64;

/// Whether the error concerns the store as a whole. All other errors concern one agent: another
/// process owns it by now, its page is ahead of the store, or the store cannot store its values.
bool is_of_the_store(const caf::error& err) {
  return code_of(err) == errc::storage_unavailable;
}

/// Whether nothing more can be stored for the agent. A value that the store cannot store concerns
/// one request only.
bool is_of_the_agent(const caf::error& err) {
  return !is_of_the_store(err) && code_of(err) != errc::invalid_request;
}

/// The error for callers: the storage is unavailable. The reason, such as a lost claim, is in the
/// text for the operators.
caf::error unavailable(const caf::error& err) {
  return fail(errc::storage_unavailable, field_of(err), describe(err));
}

} // namespace

journal_state::journal_state(handle::pointer self, std::shared_ptr<store> to,
  std::shared_ptr<const scratchpage::clock> clock, journal_config config, bool low_priority,
  on_health tell, claim_watch watch)
  : self_{self},
    store_{std::move(to)},
    clock_{std::move(clock)},
    config_{config},
    low_priority_{low_priority},
    tell_{std::move(tell)},
    watch_{std::move(watch)} {}

journal_state::handle::behavior_type journal_state::make_behavior() {
  if (low_priority_ && self_->getf(caf::abstract_actor::is_detached_flag)) // its own thread
    lower_thread_priority();
  check_claims();
  return {
    [this](append_events& x) -> caf::result<void> {
      if (x.events.empty())
        return fail(errc::invalid_request, "events", "expected at least one event");
      return enqueue(x, events_);
    },
    [this](keep_documents& x) { return enqueue(x, documents_); },
    [this](caf::tick_atom) { commit(); },
    [this](const fold_journal& x) { return advance_for(x); },
    [this](caf::get_atom) { return stats(); },
  };
}

template <class Request, class Queue>
caf::result<void> journal_state::enqueue(Request& x, Queue& to) {
  if (!may_try())
    return last_failure_;
  auto answer = self_->make_response_promise<void>();
  to.push_back({std::move(x), answer});
  commit_soon();
  return answer;
}

/// Commits after the messages that are in the mailbox already, so that their changes are included.
void journal_state::commit_soon() {
  if (!std::exchange(is_committing_soon_, true))
    tell(self_, handle{self_}, caf::tick_atom_v);
}

void journal_state::commit() {
  is_committing_soon_ = false;
  auto started = clock_->steady();
  if (!events_.empty())
    commit_events();
  if (!documents_.empty())
    commit_documents();
  stats_.last_commit_ms = in_milliseconds(clock_->steady() - started);
  ++commits_;
  auto written = std::exchange(written_, 0);
  if (const auto* x = furthest_behind(); x != nullptr && x->behind() >= config_.fold_by_force)
    advance_by_force(x->by.agent, written);
  advance_when_idle();
}

void journal_state::commit_events() {
  for (auto left = std::exchange(events_, {}); !left.empty();)
    left = commit_first_of_each(std::move(left));
}

/// Commits the first request of each agent in one call of the store, and returns the others. A page
/// has one request at a time here, which this actor does not enforce.
std::vector<journal_state::waiting_events> journal_state::commit_first_of_each(
  std::vector<waiting_events> all) {
  std::vector<waiting_events> xs, others;
  std::unordered_set<uint64_t> agents;
  for (auto& x : all)
    (agents.insert(x.request.agent).second ? xs : others).push_back(std::move(x));
  std::vector<journal_append> appends;
  appends.reserve(xs.size());
  for (const auto& x : xs)
    appends.push_back(to_append(x.request));
  deliver(xs, appends, store_->append(appends));
  if (may_try())
    return others;
  for (auto& x : others)
    x.answer.deliver(last_failure_);
  return {};
}

/// Answers requests with the verdicts of the store. Its failure counts once, however many there
/// are.
void journal_state::deliver(std::vector<waiting_events>& xs,
  const std::vector<journal_append>& appends, const std::vector<caf::error>& verdicts) {
  caf::error failure;
  for (size_t i = 0; i < xs.size(); ++i) {
    const auto& verdict = verdicts[i];
    if (!verdict) {
      note(appends[i]);
      xs[i].answer.deliver();
    } else if (is_of_the_store(verdict)) {
      failure = verdict;
      xs[i].answer.deliver(unavailable(verdict));
    } else {
      xs[i].answer.deliver(judge(appends[i].by, verdict));
    }
  }
  if (failure)
    note_failure(failure);
}

void journal_state::commit_documents() {
  for (auto& x : std::exchange(documents_, {})) {
    std::vector<document> rows;
    for (auto& one : x.request.documents) {
      auto checksum = checksum_of(one.body);
      rows.push_back(
        {std::move(one.collection), std::move(one.key), std::move(one.body), checksum});
    }
    ownership by{x.request.agent, x.request.epoch, x.request.claim};
    if (auto err = store_->put(by, rows)) {
      x.answer.deliver(judge(by, err));
    } else {
      note_success();
      x.answer.deliver();
    }
  }
}

/// Returns the error for the caller, and notes whether the store, the agent or only this request
/// has failed.
caf::error journal_state::judge(const ownership& by, const caf::error& err) {
  if (is_of_the_store(err))
    note_failure(err);
  else if (watch_.tell && is_of_the_agent(err))
    watch_.tell(by, err);
  return unavailable(err);
}

/// Checks at intervals that this process still owns its agents: an agent that only reads would not
/// learn from a commit that another process owns it. If the store cannot tell, the next check does.
void journal_state::check_claims() {
  if (!watch_.claims)
    return;
  if (auto lost = store_->lost(watch_.claims->all()); lost && watch_.tell)
    for (const auto& by : *lost)
      watch_.tell(by, not_the_owner(by.epoch));
  run_while_needed(self_, from_milliseconds(config_.claims_ms), [this] { check_claims(); });
}

void journal_state::note(const journal_append& x) {
  note_success();
  auto count = x.group.last - x.group.first + 1;
  stats_.events += count;
  written_ += count;
  progress_.note_written(x.by, x.after, x.group.last);
}

void journal_state::note_success() {
  pause_ = {};
  ++stats_.commits;
  auto did_fail = std::exchange(stats_.failures, 0) > 0;
  stats_.last_failure.clear();
  if (did_fail && tell_)
    tell_(stats());
}

void journal_state::note_failure(const caf::error& err) {
  last_failure_ = unavailable(err);
  ++stats_.failures;
  stats_.last_failure = describe(err);
  pause_ = pause_ == timespan{} ? from_milliseconds(config_.retry_ms)
                                : std::min(2 * pause_, from_milliseconds(config_.longest_retry_ms));
  next_try_ = clock_->steady() + pause_;
  if (stats_.failures == 1 && tell_)
    tell_(stats());
}

journal_stats journal_state::stats() const {
  auto result = stats_;
  result.waiting = events_.size() + documents_.size();
  result.next_try = clock_->now() + (next_try_ - clock_->steady());
  return result;
}

bool journal_state::may_try() const {
  return pause_ == timespan{} || clock_->steady() >= next_try_;
}

/// The agent whose snapshot is the furthest behind; null while the store fails.
const snapshot_progress::agent* journal_state::furthest_behind() const {
  return pause_ == timespan{} ? progress_.furthest() : nullptr;
}

/// Advances a snapshot that is behind, if nothing is written for `fold_idle_ms`.
void journal_state::advance_when_idle() {
  const auto* x = furthest_behind();
  if (is_waiting_for_idle_ || x == nullptr || x->behind() < config_.fold_after)
    return;
  is_waiting_for_idle_ = true;
  self_->run_delayed(from_milliseconds(config_.fold_idle_ms), [this, before = commits_] {
    is_waiting_for_idle_ = false;
    if (const auto* now = furthest_behind(); now != nullptr && before == commits_)
      advance_while_idle(now->by.agent);
    advance_when_idle();
  });
}

/// Advances a snapshot step by step until a request comes.
void journal_state::advance_while_idle(uint64_t agent) {
  while (self_->mailbox().empty())
    if (const auto* x = progress_.find(agent))
      advance(*x, config_.fold_at_once);
    else
      return;
}

/// Advances a snapshot by a quarter more than was written, so that it comes closer, but by no more
/// than that, because commits on the same core wait for it. If a step advances by more than is
/// owed, the next commits advance by less.
void journal_state::advance_by_force(uint64_t agent, uint64_t written) {
  const auto max_owed = static_cast<int64_t>(config_.fold_at_once);
  const auto step = std::min(step_by_force, config_.fold_at_once);
  owed_ = std::min(max_owed, owed_ + static_cast<int64_t>(written + (written + 3) / 4));
  while (owed_ >= static_cast<int64_t>(step)) {
    const auto* x = progress_.find(agent);
    auto moved = x == nullptr ? 0 : advance(*x, step);
    if (moved == 0)
      return;
    owed_ -= static_cast<int64_t>(moved);
  }
}

/// Advances a snapshot by one step, and returns by how many changes it is further than it was known
/// to be.
uint64_t journal_state::advance(const snapshot_progress::agent& x, uint64_t max_changes) {
  auto before = x.snapshot;
  auto head = advance_snapshot(*store_, x.by, snapshot_kind::latest, x.last, max_changes);
  // If the journal is damaged, or has less than was written to it, further attempts do not help:
  // recovery at the next start reports it.
  auto is_stuck = !head || head->sequence == before;
  progress_.note_snapshot(x.by.agent, is_stuck ? x.last : head->sequence);
  return is_stuck || head->sequence < before ? 0 : head->sequence - before;
}

caf::result<uint64_t> journal_state::advance_for(const fold_journal& x) {
  auto head = advance_snapshot(
    *store_, {x.agent, x.epoch, x.claim}, snapshot_kind::latest, UINT64_MAX, config_.fold_at_once);
  if (!head)
    return head.error();
  if (const auto* known = progress_.find(x.agent))
    progress_.note_snapshot(x.agent, std::max(known->snapshot, head->sequence));
  return head->sequence;
}

} // namespace scratchpage
