#include "scratchpage/persistence/store/forget_history.hpp"

#include "scratchpage/persistence/store/fold.hpp"

namespace scratchpage {

namespace {

/// What is done in one call.
constexpr uint64_t groups_at_once = 256;
constexpr uint64_t events_at_once = 65'536;

/// What may go next.
struct part {
  uint64_t until = 0;  ///< the end of its last group; that of the snapshot if there is none
  bool behind = false; ///< more could go, but for the latest snapshot
};

caf::expected<part> next_part(
  store& in, uint64_t agent, uint64_t after, uint64_t latest, timestamp horizon) {
  uint64_t groups = 0;
  part result{after};
  auto err = in.read_journal(agent, after, [&](journal_group&& group) {
    if (group.at >= horizon)
      return false;
    result.behind = group.last > latest;
    if (result.behind)
      return false;
    result.until = group.last;
    return ++groups < groups_at_once;
  });
  if (err)
    return err;
  return result;
}

} // namespace

caf::expected<forgetting> forget_history(store& in, const ownership& by, timestamp horizon) {
  auto latest = in.find_snapshot(by.agent, snapshot_kind::latest);
  if (!latest)
    return latest.error();
  auto oldest = in.find_snapshot(by.agent, snapshot_kind::oldest);
  if (!oldest)
    return oldest.error();
  auto next = next_part(in, by.agent, oldest->sequence, latest->sequence, horizon);
  if (!next)
    return next.error();
  if (next->until == oldest->sequence)
    return next->behind ? forgetting::behind : forgetting::done;
  auto moved = fold(in, by, snapshot_kind::oldest, next->until, events_at_once);
  if (!moved)
    return moved.error();
  if (auto err = in.forget_journal(by, moved->sequence))
    return err;
  return forgetting::more;
}

} // namespace scratchpage
