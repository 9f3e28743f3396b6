#include "scratchpage/actors/page/delivery.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"

namespace scratchpage {

caf::expected<uint64_t> delivery::add(subscribe request) {
  auto err = check_filters(request);
  if (!err)
    err = check_position(request);
  if (err)
    return err;
  begin_at_kept_position(request);
  auto last = page_.log->next() - 1;
  auto seen = request.from.sequence.value_or(last);
  auto from = std::min(seen, last_kept(request.from));
  if (from > last)
    return fail(errc::invalid_request, "from",
      "expected a sequence up to " + std::to_string(last) + ", got " + std::to_string(from));
  auto is_earlier = [&](const subscriber& x) {
    return x.handle == request.subscriber
           || (!request.keep_as.empty() && x.keep_as == request.keep_as);
  };
  drop_if(is_earlier); // a second subscription replaces the first
  auto filters = std::move(request.or_filters);
  filters.insert(filters.begin(), std::move(request.filter));
  auto room = make_room(request.by, memory_of(filters));
  if (!room)
    return room.error();
  auto& x = subscribers_[++last_id_];
  x.id = last_id_;
  x.handle = std::move(request.subscriber);
  x.name = std::move(request.by.name);
  x.takes = std::move(*room);
  x.wants = &groups_.join(std::move(filters), page_.log->next());
  x.part_of_turns = request.part_of_turns;
  x.keep_as = std::move(request.keep_as);
  x.at_once = page_.config->batch_size;
  if (request.at_once > 0)
    x.at_once = std::min(x.at_once, request.at_once);
  wake(x, from + 1);
  auto knows_all = look_back(*x.wants, x.next, request.by.outside);
  if (!knows_all || seen > from)
    fall_behind(x);
  if (seen > from) // a crash has taken back changes that it has seen
    x.missed = seen - from;
  keep_position(x);
  return from;
}

/// Uses the kept position of the subscriber's name, unless the request says where to begin.
void delivery::begin_at_kept_position(subscribe& request) const {
  auto kept = page_.positions->find(request.keep_as);
  if (kept && !request.from.sequence)
    request.from = {kept->sequence, kept->epoch};
}

void delivery::keep_position(const subscriber& x) {
  if (!x.keep_as.empty())
    page_.positions->note({x.keep_as, x.next - 1, page_.epoch});
}

/// The last sequence of the epoch that was kept when the next epoch began. In the current epoch,
/// everything counts as kept. For an epoch so early that nobody knows any more when the next one
/// began, nothing does.
uint64_t delivery::last_kept(const subscribe_from& from) const {
  auto epoch = from.epoch.value_or(page_.epoch);
  auto next = page_.epochs.upper_bound(epoch);
  if (next == page_.epochs.end())
    return UINT64_MAX;
  auto is_too_early = next == page_.epochs.begin() && next->first > epoch + 1;
  return is_too_early ? 0 : next->second;
}

void delivery::note(const page_event& event) {
  for (auto* x : groups_.matching(event)) {
    x->wanted.mark(event.sequence);
    for (auto id : x->waiting)
      wake(subscribers_.at(id), event.sequence);
    x->waiting.clear();
  }
}

void delivery::remove(const caf::actor_addr& who) {
  drop_if([&](const subscriber& x) { return x.handle.address() == who; });
}

void delivery::cancel(const caf::actor_addr& who) {
  for (const auto& [id, x] : subscribers_)
    if (x.handle.address() == who)
      page_.positions->forget(x.keep_as);
  remove(who);
}

size_t delivery::in_turns() const {
  auto is_one = [](const auto& entry) { return entry.second.part_of_turns; };
  return static_cast<size_t>(std::count_if(subscribers_.begin(), subscribers_.end(), is_one));
}

std::vector<subscriber_state> delivery::states() const {
  std::vector<subscriber_state> result;
  result.reserve(subscribers_.size());
  auto now = page_.agent->clock->steady();
  for (const auto& [id, x] : subscribers_) {
    auto is_idle = x.waits && !x.busy;
    auto& state = result.emplace_back();
    state.name = x.name;
    state.lag = is_idle ? 0 : page_.log->next() - x.next + state_left(x);
    state.in_turns = x.part_of_turns;
    state.waiting_ms = x.busy ? in_milliseconds(now - x.told_at) : 0;
  }
  return result;
}

/// The number of observations of the current state that are still to be sent, at most.
uint64_t delivery::state_left(const subscriber& x) const {
  return x.state.is_told() ? 0 : std::min(x.state.end - x.state.next, page_.index->size());
}

template <class F>
void delivery::drop_if(F is_meant) {
  for (auto i = subscribers_.begin(); i != subscribers_.end();)
    if (auto at = i++; is_meant(at->second))
      drop(at);
}

void delivery::drop(table::iterator at) {
  auto& x = at->second;
  wait_no_longer(x);
  unsettled_.erase(&x);
  groups_.leave(*x.wants);
  subscribers_.erase(at);
}

void delivery::wait(subscriber& x) {
  if (!std::exchange(x.waits, true))
    x.wants->waiting.push_back(x.id);
}

void delivery::wait_no_longer(subscriber& x) {
  if (std::exchange(x.waits, false))
    std::erase(x.wants->waiting, x.id);
}

/// The change with this sequence is the first one after the subscriber's position that matches.
void delivery::wake(subscriber& x, uint64_t sequence) {
  x.waits = false;
  x.batch_end = sequence;
  if (x.busy)
    return;
  x.next = sequence;
  awake_.push_back(x.id);
  if (x.part_of_turns)
    unsettled_.insert(&x);
}

void delivery::pump() {
  std::sort(awake_.begin(), awake_.end());
  for (auto id : awake_)
    if (auto i = subscribers_.find(id); i != subscribers_.end() && !i->second.busy)
      pump(i->second);
  awake_.clear();
}

void delivery::pump(subscriber& x) {
  auto events = next_events(x);
  if (events.empty()) {
    if (!x.state.is_told())
      return continue_search_later(x);
    unsettled_.erase(&x);
    return;
  }
  expect_answer(x);
  watch_deadlines(x.answer_by);
  ask(page_.self, x.handle, caf::infinite,
    event_batch{page_.agent->agent_id, std::move(events), page_.epoch})
    .then([this, id = x.id, batch = x.batch] { on_acknowledged(id, batch); },
      [this, id = x.id, batch = x.batch](const caf::error& err) { on_failure(id, batch, err); });
}

void delivery::expect_answer(subscriber& x) {
  x.busy = true;
  x.batch = ++last_batch_;
  auto now = page_.agent->clock->steady();
  if (x.failures == 0)
    x.told_at = now;
  x.answer_by = now + from_milliseconds(page_.config->acknowledge_ms);
}

/// The search for matching observations takes long: handles other messages before it goes on.
void delivery::continue_search_later(subscriber& x) {
  expect_answer(x);
  page_.self->run_delayed(timespan::zero(), [this, id = x.id, batch = x.batch] {
    auto* found = waiting_for(id, batch);
    if (found == nullptr)
      return;
    found->busy = false;
    pump(*found);
    page_.acknowledged();
  });
}

/// Starts one timer, for the batch that is due first. A timer for each batch would wake the
/// system's clock twice for each.
void delivery::watch_deadlines(timespan first) {
  if (std::exchange(watches_deadlines_, true))
    return;
  deadline_.start(page_.self, first - page_.agent->clock->steady(), [this] {
    watches_deadlines_ = false;
    give_up_overdue();
  });
}

void delivery::give_up_overdue() {
  auto now = page_.agent->clock->steady();
  std::vector<std::pair<uint64_t, uint64_t>> overdue;
  std::optional<timespan> next;
  for (const auto& [id, x] : subscribers_) {
    if (!x.busy || x.is_set_aside)
      continue;
    if (x.answer_by <= now)
      overdue.emplace_back(id, x.batch);
    else
      next = std::min(next.value_or(x.answer_by), x.answer_by);
  }
  if (next)
    watch_deadlines(*next);
  for (auto [id, batch] : overdue)
    on_silence(id, batch);
}

event_list delivery::next_events(subscriber& x) {
  std::vector<page_event> events;
  if (x.next < page_.log->oldest())
    fall_behind(x);
  if (x.missed > 0)
    events.push_back(lagged(x));
  fill_from_state(x, events);
  if (!events.empty())
    return event_list{std::move(events)};
  x.state.next = x.state.batch_end;
  if (!x.state.is_told())
    return {};  // no match in the part for which there was time
  x.state = {}; // no match was left
  return from_log(x);
}

/// Not all changes that the subscriber has missed can be sent from the log: it gets the current
/// state instead.
void delivery::fall_behind(subscriber& x) {
  x.state = {0, 0, page_.index->end()};
  x.missed += page_.log->next() - x.next;
  x.next = x.batch_end = page_.log->next();
  wait(x);
}

/// The first `limit` observations from `number` on that match one of the filters. Ends earlier when
/// the time is over, at a number up to which all filters were looked at.
part_of_matches delivery::state_from(uint64_t number, const filter_group& x, size_t limit) const {
  part_of_matches result{{}, UINT64_MAX};
  auto& numbers = result.numbers;
  for (auto filter : x.filters) {
    if (filter.status.empty()) // means any status to a subscriber, but live ones to the index
      filter.status = {status::active, status::pending_review, status::resolved};
    auto found = page_.index->matches_from(
      number, filter, page_.agent->clock->now(), limit, end_of_slice(x.filters.size()));
    auto middle = static_cast<std::ptrdiff_t>(numbers.size());
    numbers.insert(numbers.end(), found.numbers.begin(), found.numbers.end());
    std::inplace_merge(numbers.begin(), numbers.begin() + middle, numbers.end());
    result.next = std::min(result.next, found.next);
  }
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  numbers.erase(std::lower_bound(numbers.begin(), numbers.end(), result.next), numbers.end());
  if (numbers.size() > limit)
    result.next = numbers[limit];
  numbers.resize(std::min(numbers.size(), limit));
  return result;
}

/// A function that returns whether one of `slices` equal parts of the time for a query is over.
std::function<bool()> delivery::end_of_slice(size_t slices) const {
  const auto& clock = *page_.agent->clock;
  auto slice = from_milliseconds(page_.config->query_deadline_ms) / static_cast<int64_t>(slices);
  return [&clock, end = clock.steady() + slice] { return clock.steady() >= end; };
}

page_event delivery::lagged(const subscriber& x) const {
  page_event event;
  event.sequence = x.next - 1;
  event.kind = event_kind::lagged;
  event.at = page_.agent->clock->now();
  event.missed = x.missed;
  return event;
}

void delivery::fill_from_state(subscriber& x, std::vector<page_event>& events) const {
  if (x.state.is_told())
    return;
  x.state.batch_end = x.state.next;
  if (events.size() >= x.at_once)
    return;
  auto part = state_from(x.state.next, *x.wants, x.at_once - events.size());
  x.state.batch_end = std::min(part.next, x.state.end);
  size_t bytes = 0;
  for (auto number : part.numbers) {
    if (number >= x.state.end)
      break; // the rest comes through the log
    if (bytes >= page_.config->batch_bytes) {
      x.state.batch_end = number;
      break;
    }
    page_event event;
    event.sequence = x.next - 1;
    event.kind = event_kind::current;
    event.at = page_.agent->clock->now();
    event.observation = page_.index->find(number);
    bytes += memory_of(*event.observation);
    event.turn_id = event.observation->source.turn_id;
    events.push_back(std::move(event));
  }
}

event_list delivery::from_log(subscriber& x) {
  event_list events;
  if (x.waits)
    return events;
  const auto& wanted = x.wants->wanted;
  auto end = page_.log->next();
  auto sequence = wanted.next(x.next, end);
  if (sequence < end)
    events.reserve(std::min(end - sequence, x.at_once));
  size_t bytes = 0;
  for (; sequence < end && events.size() < x.at_once && bytes < page_.config->batch_bytes;
       sequence = wanted.next(sequence + 1, end)) {
    page_.log->share(sequence, events);
    bytes += events[events.size() - 1].bytes;
  }
  x.batch_end = sequence;
  if (sequence == end)
    wait(x);
  return events;
}

uint64_t delivery::acknowledged() const {
  auto result = page_.log->next() - 1;
  for (const auto* x : unsettled_)
    result = std::min(result, x->next - 1);
  return result;
}

/// The subscriber if it still waits for the answer to that batch; otherwise null.
delivery::subscriber* delivery::waiting_for(uint64_t id, uint64_t batch) {
  auto i = subscribers_.find(id);
  auto waits = i != subscribers_.end() && i->second.busy && i->second.batch == batch;
  return waits ? &i->second : nullptr;
}

void delivery::on_acknowledged(uint64_t id, uint64_t batch) {
  auto* found = waiting_for(id, batch);
  if (found == nullptr)
    return;
  auto& x = *found;
  take_back(x);
  x.busy = false;
  x.failures = 0;
  x.missed = 0;
  if (!x.state.is_told())
    x.state.next = x.state.batch_end;
  if (x.state.is_told()) {
    x.next = x.waits ? page_.log->next() : x.batch_end;
    keep_position(x);
  }
  pump(x);
  page_.acknowledged();
}

void delivery::on_failure(uint64_t id, uint64_t batch, const caf::error& err) {
  auto* found = waiting_for(id, batch);
  if (found == nullptr)
    return;
  auto& x = *found;
  if (has_failed_for_good(x, err)) {
    page_.trace->write("drop_subscriber", as_daemon(x.name), {}, "overloaded");
    drop(subscribers_.find(id));
  } else {
    send_again(x);
  }
  page_.acknowledged();
}

/// A subscriber that does not answer may only be slow. After the last attempt it is set aside, and
/// keeps its position until it answers or ends.
void delivery::on_silence(uint64_t id, uint64_t batch) {
  auto* found = waiting_for(id, batch);
  if (found == nullptr)
    return;
  auto& x = *found;
  auto err = fail(errc::deadline_exceeded, "", "expected an acknowledgement in time");
  if (has_failed_for_good(x, err)) {
    page_.trace->write("set_subscriber_aside", as_daemon(x.name), {}, "overloaded");
    x.is_set_aside = true;
    unsettled_.erase(&x);
  } else {
    send_again(x);
  }
  page_.acknowledged();
}

bool delivery::has_failed_for_good(subscriber& x, const caf::error& err) {
  page_.trace->write_error("deliver", as_daemon(x.name), err, {{"failures", x.failures + 1}});
  return ++x.failures >= page_.config->delivery_attempts;
}

/// Sends the same events again, together with those that have come since (at-least-once delivery).
void delivery::send_again(subscriber& x) {
  x.busy = false;
  wait_no_longer(x);
  pump(x);
}

/// A subscriber that was set aside has answered: turns wait for it again until it has acknowledged
/// all its events.
void delivery::take_back(subscriber& x) {
  if (!std::exchange(x.is_set_aside, false))
    return;
  page_.trace->write("take_subscriber_back", as_daemon(x.name));
  if (x.part_of_turns)
    unsettled_.insert(&x);
}

} // namespace scratchpage
