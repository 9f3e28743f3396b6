#include "scratchpage/actors/storage/housekeeping.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/journal.hpp"

namespace scratchpage {

namespace {

/// Rows of the archive that are compressed in one step, while others wait to write.
constexpr uint64_t rows_at_once = 256;

constexpr timespan request_timeout = std::chrono::seconds{30};

/// The longest time between two rounds of an agent at rest. What waits for them, such as
/// compressing, can be late.
constexpr timespan longest_pause = std::chrono::hours{24};

} // namespace

housekeeping_state::housekeeping_state(
  handle::pointer self, const agent_context& agent, housekeeping_setup setup)
  : self_{self},
    kept_{agent.kept},
    setup_{std::move(setup)},
    trace_{agent, name, static_cast<uint32_t>(component::housekeeping)},
    works_{agent.work()} {
  if (auto before = take_kept<kept_round>(agent.kept)) {
    clock_ = std::move(before->clock);
    next_round_ = before->next;
    due_ = before->due;
    stage_ = stage::rest;
    skip_rounds();
  } else {
    clock_ = std::make_shared<unhurried_clock>(agent.clock);
  }
}

/// The timer would keep the actor until the next round.
housekeeping_state::~housekeeping_state() {
  timer_.dispose();
  if (kept_ && stage_ == stage::rest)
    kept_->put(kept_round{clock_, next_round_, due_}, sizeof(kept_round) + sizeof(unhurried_clock));
}

housekeeping_state::handle::behavior_type housekeeping_state::make_behavior() {
  if (stage_ == stage::rest)
    wait_for_round();
  else
    go_on(stage::pack);
  return {[this](caf::tick_atom) { step(); },
    [this](forget_observations& request) { return take_order(request); }};
}

void housekeeping_state::step() {
  switch (stage_) {
  case stage::pack:
    return pack();
  case stage::purge:
    return purge();
  case stage::truncate:
    return truncate();
  case stage::forget:
    return forget();
  case stage::rest:
    return rest();
  }
}

void housekeeping_state::go_on(stage next) {
  stage_ = next;
  works_.set(true);
  tell(self_, handle{self_}, caf::tick_atom_v);
}

void housekeeping_state::give_up(std::string_view operation, const caf::error& err) {
  trace_.write_error(operation, as_daemon(name), err);
  if (stage_ == stage::forget)
    return end_order(err);
  due_ = {}; // with the next round
  go_on(stage::rest);
}

void housekeeping_state::trace(std::string_view operation, json::object detail) {
  trace_.write(operation, as_daemon(name), std::move(detail));
}

timestamp housekeeping_state::days_ago(double days) const {
  return to_milliseconds(clock_->now() - from_days(days));
}

void housekeeping_state::rest() {
  retention_.reset();
  packed_ = 0;
  has_advanced_ = has_truncated_ = false;
  next_round_ = clock_->steady() + from_minutes(setup_.config.every_minutes);
  due_ = std::max(due_, next_round_);
  wait_for_round();
  if (!orders_.empty())
    go_on(stage::forget);
  else
    works_.set(false);
}

/// Rounds that had nothing urgent to do, and would have come during a rest, do not take place.
void housekeeping_state::skip_rounds() {
  auto now = clock_->steady();
  auto pause = from_minutes(setup_.config.every_minutes);
  if (next_round_ < now && now < due_)
    next_round_ += ((now - next_round_) / pause + 1) * pause;
}

void housekeeping_state::wait_for_round() {
  auto now = clock_->steady();
  auto left = std::max(timespan::zero(), next_round_ - now);
  if (kept_)
    kept_->note_deadline(name, clock_->now() + std::max(left, due_ - now));
  timer_ = self_->run_delayed(left, [this] {
    if (stage_ == stage::rest)
      go_on(stage::pack);
    else
      is_round_due_ = true;
  });
}

// -- forgetting -------------------------------------------------------------------------

/// A round that is under way comes first.
caf::result<uint64_t> housekeeping_state::take_order(forget_observations& request) {
  auto promise = self_->make_response_promise<uint64_t>();
  orders_.push_back({std::move(request.observation_ids), promise});
  if (stage_ == stage::rest && orders_.size() == 1)
    go_on(stage::forget);
  return promise;
}

void housekeeping_state::forget() {
  if (!retention_) {
    const auto& ids = orders_.front().observation_ids;
    if (ids.empty())
      return end_order({});
    retention_ = std::make_unique<retention>(
      setup_.store, setup_.owner, setup_.privacy, std::set<std::string>{ids.begin(), ids.end()});
  }
  work_off(stage::forget);
}

void housekeeping_state::end_order(const caf::error& err) {
  auto order = std::move(orders_.front());
  orders_.pop_front();
  if (err)
    order.promise.deliver(err);
  else
    order.promise.deliver(retention_ ? retention_->purged() : uint64_t{0});
  retention_.reset();
  if (!orders_.empty())
    return go_on(stage::forget);
  stage_ = stage::rest;
  if (std::exchange(is_round_due_, false))
    go_on(stage::pack);
  else
    works_.set(false);
}

// -- compressing ------------------------------------------------------------------------

void housekeeping_state::pack() {
  auto packed =
    setup_.store->pack_archive(setup_.owner, days_ago(setup_.config.pack_after_days), rows_at_once);
  if (!packed)
    return give_up("pack_archive", packed.error());
  packed_ += *packed;
  if (*packed == rows_at_once)
    return go_on(stage::pack);
  if (packed_ > 0)
    trace("pack_archive", {{"observations", packed_}});
  go_on(stage::purge);
}

// -- purging ----------------------------------------------------------------------------

void housekeeping_state::purge() {
  if (!retention_)
    retention_ = std::make_unique<retention>(setup_.store, setup_.owner, setup_.privacy);
  work_off(stage::purge);
}

/// Notes when the next retention ends.
void housekeeping_state::note_retention() {
  auto next = retention_->next_due();
  if (!next)
    trace_.write_error("purge_observations", as_daemon(name), next.error());
  due_ = clock_->steady() + longest_pause;
  if (next && *next)
    due_ = std::min(due_, clock_->steady() + (**next - clock_->now()));
}

/// Does a step of the retention, in the stage `now`.
void housekeeping_state::work_off(stage now) {
  auto done = retention_->step(clock_->now());
  if (!done)
    return give_up("purge_observations", done.error());
  switch (*done) {
  case retention_step::done:
    if (now == stage::forget)
      return end_order({});
    note_retention();
    return go_on(stage::truncate);
  case retention_step::more:
    return go_on(now);
  case retention_step::tell:
    return advance_snapshot(retention_->last_sequence(), 0, [this] { purge_copies(); });
  }
}

/// Has the journal, which alone writes snapshots, advance the latest one.
void housekeeping_state::advance_snapshot(
  uint64_t until, uint64_t before, std::function<void()> then) {
  ask(self_, setup_.journal, request_timeout,
    fold_journal{setup_.owner.agent, setup_.owner.epoch, setup_.owner.claim})
    .then(
      [this, until, before, then = std::move(then)](uint64_t now) mutable {
        if (now >= until || now == before)
          then();
        else
          advance_snapshot(until, now, std::move(then));
      },
      [this](const caf::error& err) { give_up("fold_journal", err); });
}

/// Copies in memory are purged before the stored rows, or else they would be written again.
void housekeeping_state::purge_copies() {
  auto missing = std::make_shared<uint64_t>(4);
  purge_copy(setup_.page, missing);
  purge_copy(setup_.cortex, missing);
  purge_copy(setup_.episodes, missing);
  purge_copy(setup_.facts, missing);
}

template <class Handle>
void housekeeping_state::purge_copy(const Handle& who, const std::shared_ptr<uint64_t>& missing) {
  ask(self_, who, request_timeout, retention_->command())
    .then(
      [this, missing] {
        if (--*missing == 0) {
          trace(
            "purge_observations", {{"observations", retention_->command().observation_ids.size()}});
          go_on(stage_);
        }
      },
      [this, missing](const caf::error& err) {
        if (std::exchange(*missing, 0) > 0) // only for the first one that fails
          give_up("purge_observations", err);
      });
}

// -- truncating the journal -------------------------------------------------------------

void housekeeping_state::truncate() {
  auto done = truncate_journal(*setup_.store, setup_.owner, days_ago(setup_.config.history_days));
  if (!done)
    return give_up("forget_journal", done.error());
  if (*done == truncation::more) {
    has_truncated_ = true;
    return go_on(stage::truncate);
  }
  if (*done == truncation::behind && !std::exchange(has_advanced_, true))
    return advance_snapshot(UINT64_MAX, 0, [this] { go_on(stage::truncate); });
  if (has_truncated_)
    trace("forget_journal", {{"days", setup_.config.history_days}});
  go_on(stage::rest);
}

} // namespace scratchpage
