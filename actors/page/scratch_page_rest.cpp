#include <algorithm>
#include <array>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/base/packed_text.hpp"
#include "scratchpage/actors/page/page_keepsake.hpp"
#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/actors/page/write_rules.hpp"
#include "scratchpage/messages/observation.hpp"

/// The rest of the page: whether it may end, what it leaves for its successor, and how the
/// successor goes on as if nothing had been.

namespace scratchpage {

// -- before a rest --------------------------------------------------------------------------

caf::result<rest_verdict> scratch_page_state::check_rest(const rest_check& request) {
  if (auto err = daemons_only(request.by, "ask whether the page may rest"))
    return err;
  rest_verdict result;
  result.why_not = reason_to_stay(request.own_subscribers);
  result.may_rest = result.why_not.empty();
  own_subscribers_.clear();
  if (result.may_rest)
    for (auto& x : delivery_.states())
      own_subscribers_.push_back(std::move(x.name));
  result.next_deadline = index_.next_deadline();
  if (auto aging = next_aging())
    result.next_deadline = std::min(result.next_deadline.value_or(*aging), *aging);
  result.log_after = log_.begin() - 1;
  result.stats = stats();
  return result;
}

/// Why the page may not rest now; "" if it may.
std::string scratch_page_state::reason_to_stay(const std::vector<std::string>& own_subscribers) {
  if (auto reason = unfinished(); !reason.empty())
    return std::string{reason};
  if (reads_.is_anybody_waiting() || !self_->mailbox().empty())
    return "requests wait for the page";
  for (const auto& x : delivery_.states()) {
    if (std::find(own_subscribers.begin(), own_subscribers.end(), x.name) == own_subscribers.end())
      return "'" + x.name + "' subscribes to the page";
    if (x.lag > 0)
      return "'" + x.name + "' has not acknowledged all events";
  }
  if (auto due = index_.next_deadline(); due && *due <= now())
    return "an observation has expired";
  return is_quiet() ? "" : "the page is not quiet";
}

/// Work that a page cannot leave to its successor; "" if there is none.
std::string_view scratch_page_state::unfinished() const {
  using reason = std::pair<bool, std::string_view>;
  const std::array<reason, 9> reasons{{
    {setup_.durability.durability == durability::none, "the page is not stored"},
    {!setup_.archive, "the archive of the page is not stored"},
    {turns_.size() > 0, "a turn is open"},
    {!commits_.is_idle() || !batches_.empty(), "changes are on their way to storage"},
    {commits_.is_anything_parked(), "operations wait for changes"},
    {keeping_positions_ || positions_.is_any_changed(), "positions are on their way to storage"},
    {registering_ > 0, "a type is on its way to storage"},
    {!candidates_.is_idle(), "candidates for goals wait or are being handled"},
    {timer_.is_any_overdue(), "storage has refused an end that is overdue"},
  }};
  auto found = std::find_if(reasons.begin(), reasons.end(), [](const auto& x) { return x.first; });
  return found != reasons.end() ? found->second : std::string_view{};
}

/// When an observation is archived for its age next, if nothing changes; nothing if none is.
std::optional<timestamp> scratch_page_state::next_aging() {
  auto look = timer_.aging_at();
  if (!look)
    return std::nullopt;
  std::optional<timestamp> oldest;
  for (auto number : unguarded({}, now())) {
    auto x = index_.find(number);
    auto changed = std::max(x->created_at, x->updated_at);
    oldest = std::min(oldest.value_or(changed), changed);
  }
  if (!oldest)
    return std::nullopt;
  auto at = now() + (*look - agent_.clock->steady());
  auto aged = *oldest + aging_age();
  if (aged >= at)
    at += ((aged - at) / deadline_timer::aging_pause + 1) * deadline_timer::aging_pause;
  return at;
}

scratch_page_state::~scratch_page_state() {
  if (agent_.kept && unfinished().empty()) {
    auto kept = keep();
    auto bytes = kept.bytes();
    agent_.kept->put(std::move(kept), bytes);
  }
}

page_keepsake scratch_page_state::keep() {
  page_keepsake result{.epoch = setup_.owner.epoch,
    .sequence = log_.next() - 1,
    .log_begin = log_.begin(),
    .log_oldest = log_.oldest(),
    .ids = ids_,
    .guarded = protection_.take_memory(),
    .eviction = eviction_.packed(),
    .closed_turns = turns_.packed(),
    .cursors = cursors_.packed(),
    .archived = {},
    .put_back = candidates_.put_back(),
    .timer = timer_.remembered(),
    .subscribers = std::move(own_subscribers_),
    .has_cortex = static_cast<bool>(cortex_)};
  packer left;
  archive_.for_each([&left](const observation& x, timestamp left_at) {
    left.put_near(static_cast<uint64_t>(left_at.time_since_epoch().count()));
    left.put(static_cast<uint64_t>(x.status));
    left.put(x.observation_id);
  });
  result.archived = std::move(left).text();
  for (auto& x : result.put_back)
    if (x.candidate.observation.get() == index_.find(x.number).get())
      x.candidate.observation = {};
  return result;
}

// -- after a rest ---------------------------------------------------------------------------

/// What the page left before a rest that has just ended; nothing after an ordinary start.
std::optional<page_keepsake> scratch_page_state::take_keepsake(const recovered_page& from) {
  auto kept = agent_.kept ? agent_.kept->take<page_keepsake>() : std::nullopt;
  if (kept && (kept->epoch != setup_.owner.epoch || kept->sequence != from.sequence))
    kept.reset(); // it belongs to another history
  return kept;
}

/// Goes on where the page was before its rest. Its observations are in the index already.
void scratch_page_state::go_on(page_keepsake kept) {
  ids_ = std::move(kept.ids);
  protection_.restore(std::move(kept.guarded));
  eviction_.restore(kept.eviction);
  turns_.restore(kept.closed_turns);
  cursors_.restore(kept.cursors);
  timer_.restore(kept.timer);
  for (auto& x : kept.put_back) {
    if (!x.candidate.observation)
      x.candidate.observation = index_.find(x.number);
    if (x.candidate.observation)
      candidates_.restore(std::move(x));
  }
  restore_archive(kept.archived);
  returning_ = {{kept.subscribers.begin(), kept.subscribers.end()}, kept.has_cortex, true};
}

/// The archive in memory serves the error for a change of an observation that was archived, and
/// needs no more than ids and statuses for it.
void scratch_page_state::restore_archive(std::string_view packed) {
  unpacker from{packed};
  while (!from.is_done()) {
    timestamp left_at{timespan{static_cast<int64_t>(from.near_number())}};
    observation x;
    x.status = static_cast<status>(from.number());
    x.observation_id = from.text();
    auto number = number_of(x.observation_id).value_or(0);
    archive_.put(number, observation_ptr{std::move(x)}, left_at);
  }
}

/// Ends observations whose time has come during the rest, each at its time and in the order in
/// which a page that was there would have ended them.
void scratch_page_state::catch_up(timestamp last_change) {
  auto now = this->now();
  auto steady = agent_.clock->steady();
  for (;;) {
    auto look = timer_.aging_at();
    auto until = look && *look < steady ? now - (steady - *look) : now;
    expire_until(until, last_change);
    if (!look || *look > steady)
      break;
    archive_aged(until);
    if (becomes_empty()) {
      timer_.end_aging(); // it begins again with the next observation
      break;
    }
    timer_.pass_aging();
  }
  if (timer_.aging_at())
    start_aging();
}

void scratch_page_state::expire_until(timestamp until, timestamp last_change) {
  auto by_then = to_milliseconds(until);
  for (auto due = index_.due(by_then, setup_.limits.expiry_chunk); !due.empty();
       due = index_.due(by_then, setup_.limits.expiry_chunk))
    end_expired(
      due, [last_change](const observation& x) { return std::max(x.expires_at, last_change); });
}

} // namespace scratchpage
