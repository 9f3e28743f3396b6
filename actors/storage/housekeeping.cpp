#include "scratchpage/actors/storage/housekeeping.hpp"

#include <utility>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/unhurried_clock.hpp"
#include "scratchpage/persistence/store/forget_history.hpp"

namespace scratchpage {

namespace {

/// Rows of the archive that are compressed while others wait to write.
constexpr uint64_t rows_at_once = 256;

constexpr timespan patience = std::chrono::seconds{30};

constexpr double minutes_per_day = 24 * 60;

} // namespace

housekeeping_state::housekeeping_state(
  handle::pointer self, const agent_context& agent, housekeeping_setup setup)
  : self_{self},
    clock_{std::make_shared<unhurried_clock>(agent.clock)},
    setup_{std::move(setup)},
    trace_{agent, name, static_cast<uint32_t>(component::housekeeping)} {}

housekeeping_state::handle::behavior_type housekeeping_state::make_behavior() {
  go_on(stage::pack);
  return {[this](caf::tick_atom) { step(); }};
}

void housekeeping_state::step() {
  switch (stage_) {
  case stage::pack:
    return pack();
  case stage::retain:
    return retain();
  case stage::forget:
    return forget();
  case stage::rest:
    return rest();
  }
}

void housekeeping_state::go_on(stage next) {
  stage_ = next;
  tell(self_, handle{self_}, caf::tick_atom_v);
}

void housekeeping_state::give_up(std::string_view operation, const caf::error& err) {
  trace_.write_error(operation, as_daemon(name), err);
  go_on(stage::rest);
}

void housekeeping_state::trace(std::string_view operation, json::object detail) {
  trace_.write(operation, as_daemon(name), std::move(detail));
}

timestamp housekeeping_state::days_ago(double days) const {
  return to_milliseconds(clock_->now() - from_minutes(days * minutes_per_day));
}

void housekeeping_state::rest() {
  retention_.reset();
  packed_ = 0;
  has_folded_ = has_forgotten_ = false;
  self_->run_delayed(from_minutes(setup_.config.every_minutes), [this] { go_on(stage::pack); });
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
  go_on(stage::retain);
}

// -- purging ----------------------------------------------------------------------------

void housekeeping_state::retain() {
  if (!retention_)
    retention_ = std::make_unique<retention>(setup_.store, setup_.owner, setup_.privacy);
  auto done = retention_->step(clock_->now());
  if (!done)
    return give_up("purge_observations", done.error());
  switch (*done) {
  case retention_step::done:
    return go_on(stage::forget);
  case retention_step::more:
    return go_on(stage::retain);
  case retention_step::tell:
    return fold_up(retention_->last_sequence(), 0, [this] { tell_everybody(); });
  }
}

/// Moves the latest snapshot on, which is the journal's to write.
void housekeeping_state::fold_up(uint64_t until, uint64_t before, std::function<void()> then) {
  ask(self_, setup_.journal, patience,
    fold_journal{setup_.owner.agent, setup_.owner.epoch, setup_.owner.claim})
    .then(
      [this, until, before, then = std::move(then)](uint64_t now) mutable {
        if (now >= until || now == before)
          then();
        else
          fold_up(until, now, std::move(then));
      },
      [this](const caf::error& err) { give_up("fold_journal", err); });
}

/// Copies in memory go first, or else they would be written again.
void housekeeping_state::tell_everybody() {
  auto missing = std::make_shared<uint64_t>(4);
  tell_one(setup_.page, missing);
  tell_one(setup_.cortex, missing);
  tell_one(setup_.episodes, missing);
  tell_one(setup_.facts, missing);
}

template <class Handle>
void housekeeping_state::tell_one(const Handle& who, const std::shared_ptr<uint64_t>& missing) {
  ask(self_, who, patience, retention_->order())
    .then(
      [this, missing] {
        if (--*missing == 0) {
          trace(
            "purge_observations", {{"observations", retention_->order().observation_ids.size()}});
          go_on(stage::retain);
        }
      },
      [this, missing](const caf::error& err) {
        if (std::exchange(*missing, 0) > 0) // once, whoever else fails
          give_up("purge_observations", err);
      });
}

// -- forgetting -------------------------------------------------------------------------

void housekeeping_state::forget() {
  auto done = forget_history(*setup_.store, setup_.owner, days_ago(setup_.config.history_days));
  if (!done)
    return give_up("forget_journal", done.error());
  if (*done == forgetting::more) {
    has_forgotten_ = true;
    return go_on(stage::forget);
  }
  if (*done == forgetting::behind && !std::exchange(has_folded_, true))
    return fold_up(UINT64_MAX, 0, [this] { go_on(stage::forget); });
  if (has_forgotten_)
    trace("forget_journal", {{"days", setup_.config.history_days}});
  go_on(stage::rest);
}

} // namespace scratchpage
