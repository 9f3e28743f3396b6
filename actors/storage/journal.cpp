#include "scratchpage/actors/storage/journal.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/give_way.hpp"
#include "scratchpage/messages/run_while_needed.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/fold.hpp"
#include "scratchpage/persistence/store/journal_text.hpp"
#include "scratchpage/persistence/store/store_errors.hpp"

namespace scratchpage {

namespace {

journal_append to_append(const append_events& x) {
  return {{x.agent, x.epoch, x.claim}, x.after, to_group(x.events), to_archive(x.events)};
}

/// Changes by which a snapshot is moved on at once while there are commits, or the whole
/// group that has more: so few that nobody notices who wants the core meanwhile.
constexpr uint64_t step_by_force = 64;

/// Whether nobody's changes can be kept. Otherwise it is the fault of one agent: it is
/// another's by now, its page is ahead of what the store has, or the store can keep no such
/// values.
bool is_of_the_store(const caf::error& err) {
  return code_of(err) == errc::storage_unavailable;
}

/// Whether nothing more of that agent can be kept. A value that the store cannot keep is refused
/// alone.
bool is_of_the_agent(const caf::error& err) {
  return !is_of_the_store(err) && code_of(err) != errc::invalid_request;
}

/// Callers hear that it failed, and why; that they own the agent no more is for
/// their operators to read.
caf::error unavailable(const caf::error& err) {
  return fail(errc::storage_unavailable, field_of(err), describe(err));
}

} // namespace

journal_state::journal_state(handle::pointer self, std::shared_ptr<store> to,
  std::shared_ptr<const scratchpage::clock> clock, journal_config config, bool gives_way,
  on_health tell, claim_watch watch)
  : self_{self},
    store_{std::move(to)},
    clock_{std::move(clock)},
    config_{config},
    gives_way_{gives_way},
    tell_{std::move(tell)},
    watch_{std::move(watch)} {}

journal_state::handle::behavior_type journal_state::make_behavior() {
  if (gives_way_ && self_->getf(caf::abstract_actor::is_detached_flag)) // no thread of others
    give_way_to_others();
  look_after_claims();
  return {
    [this](append_events& x) -> caf::result<void> {
      if (x.events.empty())
        return fail(errc::invalid_request, "events", "expected at least one event");
      return enqueue(x, events_);
    },
    [this](keep_documents& x) { return enqueue(x, documents_); },
    [this](caf::tick_atom) { commit(); },
    [this](const fold_journal& x) { return fold_one(x); },
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

/// Behind whatever lies in the mailbox already, so that it comes along.
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
  if (auto* x = furthest_behind(); x != nullptr && x->last - x->folded >= config_.fold_by_force)
    keep_up(*x, written);
  fold_soon();
}

void journal_state::commit_events() {
  auto xs = std::exchange(events_, {});
  std::vector<journal_append> appends;
  appends.reserve(xs.size());
  for (const auto& x : xs)
    appends.push_back(to_append(x.request));
  // A page waits for its answer before it asks again, but pages are not made to.
  auto by_agent = [](const auto& a, const auto& b) { return a.by.agent == b.by.agent; };
  auto is_simple = std::adjacent_find(appends.begin(), appends.end(), by_agent) == appends.end();
  auto err = is_simple ? store_->append(appends) : caf::error{errc::conflict};
  if (err && !is_of_the_store(err)) { // the others are not to blame
    commit_one_by_one(xs, appends);
    return;
  }
  if (err)
    note_failure(err);
  for (size_t i = 0; i < xs.size(); ++i) {
    if (err) {
      xs[i].answer.deliver(unavailable(err));
    } else {
      note(appends[i]);
      xs[i].answer.deliver();
    }
  }
}

void journal_state::commit_one_by_one(
  std::vector<waiting_events>& xs, std::vector<journal_append>& appends) {
  for (size_t i = 0; i < xs.size(); ++i) {
    if (!may_try()) { // since one of those before
      xs[i].answer.deliver(last_failure_);
    } else if (auto err = store_->append({&appends[i], 1})) {
      xs[i].answer.deliver(judge(appends[i].by, err));
    } else {
      note(appends[i]);
      xs[i].answer.deliver();
    }
  }
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

/// What the caller hears: all fail with a store that fails, one agent with its page, and one
/// request with its values.
caf::error journal_state::judge(const ownership& by, const caf::error& err) {
  if (is_of_the_store(err))
    note_failure(err);
  else if (watch_.tell && is_of_the_agent(err))
    watch_.tell(by, err);
  return unavailable(err);
}

/// Now and then, since an agent that only reads would never hear that it is another's. That
/// a store cannot tell is nobody's loss.
void journal_state::look_after_claims() {
  if (!watch_.claims)
    return;
  for (const auto& by : watch_.claims->all())
    if (auto holds = store_->holds(by); holds && !*holds && watch_.tell)
      watch_.tell(by, not_the_owner(by.epoch));
  run_while_needed(self_, from_milliseconds(config_.claims_ms), [this] { look_after_claims(); });
}

void journal_state::note(const journal_append& x) {
  note_success();
  auto count = x.group.last - x.group.first + 1;
  stats_.events += count;
  written_ += count;
  auto [i, is_new] = progress_.try_emplace(x.by.agent);
  i->second.by = x.by;
  i->second.last = x.group.last;
  if (is_new)
    i->second.folded = x.after; // what is before it is the next fold's to find out
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

/// Nobody, while the store fails.
journal_state::progress* journal_state::furthest_behind() {
  auto is_behind = [](const auto& a, const auto& b) {
    return a.second.last - a.second.folded < b.second.last - b.second.folded;
  };
  auto i = std::max_element(progress_.begin(), progress_.end(), is_behind);
  return i == progress_.end() || pause_ != timespan{} ? nullptr : &i->second;
}

/// Looks again after a while, and goes on if nothing was written meanwhile.
void journal_state::fold_soon() {
  auto* x = furthest_behind();
  if (is_folding_soon_ || x == nullptr || x->last - x->folded < config_.fold_after)
    return;
  is_folding_soon_ = true;
  self_->run_delayed(from_milliseconds(config_.fold_idle_ms), [this, before = commits_] {
    is_folding_soon_ = false;
    if (auto* now = furthest_behind(); now != nullptr && before == commits_)
      fold_on(*now);
    fold_soon();
  });
}

/// Step by step, as long as nobody wants to write.
void journal_state::fold_on(progress& x) {
  while (self_->mailbox().empty() && x.last > x.folded)
    fold_some(x, config_.fold_at_once);
}

/// By a quarter more than was written, so that the snapshot comes closer, and no more: who
/// shares the core with a commit waits for this as well. What a step takes too much the
/// next commits need not.
void journal_state::keep_up(progress& x, uint64_t written) {
  const auto most = static_cast<int64_t>(config_.fold_at_once);
  const auto step = std::min(step_by_force, config_.fold_at_once);
  owed_ = std::min(most, owed_ + static_cast<int64_t>(written + (written + 3) / 4));
  while (owed_ >= static_cast<int64_t>(step) && x.folded < x.last) {
    auto moved = fold_some(x, step);
    if (moved == 0)
      return;
    owed_ -= static_cast<int64_t>(moved);
  }
}

/// By how many changes the snapshot has moved on from where it was known to be.
uint64_t journal_state::fold_some(progress& x, uint64_t most) {
  auto before = x.folded;
  auto head = fold(*store_, x.by, snapshot_kind::latest, x.last, most);
  // If the journal is damaged, or has less than was written to it, recovery will say what
  // is wrong; here nothing gets better by trying.
  auto is_stuck = !head || head->sequence == before;
  x.folded = is_stuck ? x.last : head->sequence;
  return is_stuck || head->sequence < before ? 0 : head->sequence - before;
}

caf::result<uint64_t> journal_state::fold_one(const fold_journal& x) {
  auto head = fold(
    *store_, {x.agent, x.epoch, x.claim}, snapshot_kind::latest, UINT64_MAX, config_.fold_at_once);
  if (!head)
    return head.error();
  if (auto i = progress_.find(x.agent); i != progress_.end())
    i->second.folded = std::max(i->second.folded, head->sequence);
  return head->sequence;
}

} // namespace scratchpage
