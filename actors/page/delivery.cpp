#include "scratchpage/actors/page/delivery.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/utf8.hpp"
#include "scratchpage/persistence/filter_match.hpp"

namespace scratchpage {

caf::expected<uint64_t> delivery::add(subscribe order) {
  if (auto err = check_position(order))
    return err;
  go_on_where_it_was(order);
  auto last = page_.log->next() - 1;
  auto seen = order.from.sequence.value_or(last);
  auto from = std::min(seen, kept_of(order.from));
  if (from > last)
    return fail(errc::invalid_request, "from",
      "expected a sequence up to " + std::to_string(last) + ", got " + std::to_string(from));
  auto is_earlier = [&](const auto& x) {
    return x.second.handle == order.subscriber
           || (!order.keep_as.empty() && x.second.keep_as == order.keep_as);
  };
  std::erase_if(subscribers_, is_earlier); // a second order replaces the first
  if (subscribers_.size() >= page_.config->max_subscribers)
    return fail(errc::overloaded, "subscriber",
      "expected at most " + std::to_string(page_.config->max_subscribers) + " subscribers");
  subscriber x{.handle = std::move(order.subscriber),
    .name = std::move(order.by.name),
    .filter = std::move(order.filter),
    .filter_for_ends = {},
    .wanted = sequence_marks{page_.config->log_capacity},
    .part_of_turns = order.part_of_turns,
    .keep_as = std::move(order.keep_as),
    .next = from + 1,
    .resync = {},
    .told = {}};
  x.filter_for_ends = x.filter;
  x.filter_for_ends.status.clear();
  for (auto i = std::max(x.next, page_.log->oldest()); i <= last; ++i)
    x.wanted.put(i, concerns(x, page_.log->at(i)));
  if (seen > from) { // a crash has taken back what it saw
    fall_behind(x);
    x.missed = seen - from;
  }
  keep_position(x);
  subscribers_.emplace(++last_id_, std::move(x));
  return from;
}

caf::error delivery::check_position(const subscribe& order) const {
  constexpr size_t most_bytes = 256;
  if (order.keep_as.empty())
    return {};
  if (order.keep_as.size() > most_bytes || !utf8::is_valid(order.keep_as))
    return fail(errc::invalid_request, "keep_as",
      "expected a name of at most " + std::to_string(most_bytes) + " bytes, in UTF-8");
  if (!page_.positions->has_room_for(order.keep_as))
    return fail(errc::overloaded, "keep_as",
      "expected at most " + std::to_string(page_.config->max_positions) + " kept positions");
  return {};
}

void delivery::go_on_where_it_was(subscribe& order) const {
  auto kept = page_.positions->find(order.keep_as);
  if (kept && !order.from.sequence)
    order.from = {kept->sequence, kept->epoch};
}

void delivery::keep_position(const subscriber& x) {
  if (!x.keep_as.empty())
    page_.positions->note({x.keep_as, x.next - 1, page_.epoch});
}

/// Up to where what a subscriber saw was kept, or everything.
uint64_t delivery::kept_of(const subscribe_from& from) const {
  auto next = page_.epochs.upper_bound(from.epoch.value_or(page_.epoch));
  return next == page_.epochs.end() ? UINT64_MAX : next->second;
}

void delivery::note(const page_event& event) {
  for (auto& [id, x] : subscribers_)
    x.wanted.put(event.sequence, concerns(x, event));
}

void delivery::remove(const caf::actor_addr& who) {
  std::erase_if(subscribers_, [&](const auto& x) { return x.second.handle.address() == who; });
}

void delivery::cancel(const caf::actor_addr& who) {
  for (const auto& [id, x] : subscribers_)
    if (x.handle.address() == who)
      page_.positions->forget(x.keep_as);
  remove(who);
}

void delivery::pump() {
  for (auto& [id, x] : subscribers_)
    if (!x.busy)
      pump(id, x);
}

void delivery::pump(uint64_t id, subscriber& x) {
  auto events = next_events(x);
  if (events.empty())
    return;
  x.busy = true;
  auto timeout = from_milliseconds(page_.config->acknowledge_ms);
  ask(page_.self, x.handle, timeout,
    event_batch{page_.agent->agent_id, std::move(events), page_.epoch})
    .then([this, id] { on_acknowledged(id); },
      [this, id](const caf::error& err) { on_failure(id, err); });
}

event_list delivery::next_events(subscriber& x) {
  std::vector<page_event> events;
  if (x.next < page_.log->oldest())
    fall_behind(x);
  if (x.missed > 0)
    events.push_back(lagged(x));
  fill_from_state(x, events);
  return events.empty() ? from_log(x) : event_list{std::move(events)};
}

/// Gives up on what the log no longer holds; the current state takes its place.
void delivery::fall_behind(subscriber& x) {
  auto filter = x.filter;
  if (filter.status.empty()) // any, to a subscriber; live ones, to the index
    filter.status = {status::active, status::pending_review, status::resolved};
  index_query everything;
  everything.filter = &filter;
  everything.limit = UINT32_MAX;
  everything.now = page_.agent->clock->now();
  x.resync = page_.index->query(everything).numbers;
  x.missed += page_.log->next() - x.next;
  x.next = x.batch_end = page_.log->next();
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
  auto now = page_.agent->clock->now();
  while (!x.resync.empty() && events.size() < page_.config->batch_size) {
    auto number = x.resync.back();
    x.resync.pop_back();
    auto current = page_.index->find(number);
    if (!current || current->expires_at <= now)
      continue; // its end comes through the log
    x.told.push_back(number);
    page_event event;
    event.sequence = x.next - 1;
    event.kind = event_kind::current;
    event.at = now;
    event.turn_id = current->source.turn_id;
    event.observation = std::move(current);
    events.push_back(std::move(event));
  }
}

event_list delivery::from_log(subscriber& x) const {
  event_list events;
  auto end = page_.log->next();
  auto sequence = x.wanted.next(x.next, end);
  if (sequence < end)
    events.reserve(std::min(end - sequence, page_.config->batch_size));
  for (; sequence < end && events.size() < page_.config->batch_size;
       sequence = x.wanted.next(sequence + 1, end))
    page_.log->share(sequence, events);
  x.batch_end = sequence;
  if (events.empty())
    x.next = sequence;
  return events;
}

bool delivery::concerns(const subscriber& x, const page_event& event) const {
  return matches(is_end(event.kind) ? x.filter_for_ends : x.filter, *event.observation);
}

uint64_t delivery::acknowledged() const {
  auto result = page_.log->next() - 1;
  for (const auto& [id, x] : subscribers_)
    if (x.part_of_turns)
      result = std::min(result, x.next - 1);
  return result;
}

void delivery::on_acknowledged(uint64_t id) {
  auto i = subscribers_.find(id);
  if (i == subscribers_.end())
    return;
  auto& x = i->second;
  x.busy = false;
  x.failures = 0;
  x.missed = 0;
  x.told.clear();
  x.next = std::max(x.next, x.batch_end);
  if (x.resync.empty()) // else some of the current state is still to be told
    keep_position(x);
  pump(id, x);
  page_.acknowledged();
}

void delivery::on_failure(uint64_t id, const caf::error& err) {
  auto i = subscribers_.find(id);
  if (i == subscribers_.end())
    return;
  auto& x = i->second;
  auto by = as_daemon(x.name);
  page_.trace->write_error("deliver", by, err, {{"failures", x.failures + 1}});
  if (++x.failures >= page_.config->delivery_attempts) {
    page_.trace->write("drop_subscriber", by, {}, "overloaded");
    subscribers_.erase(i);
  } else {
    x.busy = false;
    x.resync.insert(x.resync.end(), x.told.rbegin(), x.told.rend());
    x.told.clear();
    pump(id, x); // at least once: the same events again
  }
  page_.acknowledged();
}

} // namespace scratchpage
