#include "scratchpage/actors/page/commit_pipeline.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace scratchpage {

bool commit_pipeline::is_visible_at_once() const {
  switch (config_.durability) {
  case durability::none:
    return true;
  case durability::async: // changes become visible in order, also after one that is staged
    return staged_ == 0 && sent_.visible + gathered_.visible < config_.async_changes;
  default:
    return false;
  }
}

void commit_pipeline::publish(std::span<page_event> events) {
  for (auto& x : events)
    x.sequence = next_sequence_++;
  if (config_.durability != durability::async)
    return;
  gathered_.events.insert(gathered_.events.end(), events.begin(), events.end());
  gathered_.visible += events.size();
}

void commit_pipeline::stage(commit&& x, std::span<page_event> events) {
  for (auto& event : events) {
    event.sequence = next_sequence_++;
    gathered_.events.push_back(std::move(event));
  }
  count(x, 1);
  gathered_.commits.push_back(std::move(x));
}

void commit_pipeline::count(const commit& x, int64_t sign) {
  staged_ += static_cast<uint64_t>(sign) * x.todo.size(); // modulo 2^64, as it may be less
  staged_bytes_ += sign * x.growth;
  for (const auto& one : x.todo)
    count(one, sign);
}

void commit_pipeline::count(const page_change& x, int64_t sign) {
  if (x.kind == event_kind::added) {
    staged_growth_ += sign;
    return;
  }
  if (is_end(x.kind))
    staged_growth_ -= sign;
  if (sign > 0)
    busy_.insert(x.number);
  else
    busy_.erase(x.number);
}

std::optional<commit_pipeline::flight> commit_pipeline::next_flight(size_t arrived) {
  if (sent_events_ || is_resting_ || gathered_.events.empty())
    return std::nullopt;
  if (is_gathering_ && gathered_.commits.empty())
    return std::nullopt;
  sent_ = take_gathered(largest_flight(arrived));
  sent_events_ = std::make_shared<const event_vector>(std::move(sent_.events));
  return flight{++flight_, sent_events_};
}

/// The next flight takes half of all changes under way, including those that have just arrived: the
/// callers of the other half are answered, and may commit more, while the journal works. If a
/// flight took all changes, large flights would alternate with nearly empty ones.
size_t commit_pipeline::largest_flight(size_t arrived) const {
  auto limit = std::max<size_t>(config_.max_batch, 1);
  return arrived == 0 ? limit : std::min(limit, (arrived + gathered_.events.size() + 1) / 2);
}

/// Takes the first changes that have gathered. A commit is never divided, so one that is larger
/// than `max_events` goes alone.
commit_pipeline::batch commit_pipeline::take_gathered(size_t max_events) {
  if (gathered_.events.size() <= max_events)
    return std::exchange(gathered_, {});
  batch first;
  auto& rest = gathered_;
  first.visible = std::min(rest.visible, max_events);
  rest.visible -= first.visible;
  auto size = first.visible;
  auto count = rest.visible == 0 ? commits_that_fit(rest, max_events, size) : 0;
  auto next = rest.commits.begin() + static_cast<ptrdiff_t>(count);
  first.commits.assign(
    std::make_move_iterator(rest.commits.begin()), std::make_move_iterator(next));
  rest.commits.erase(rest.commits.begin(), next);
  auto end = rest.events.begin() + static_cast<ptrdiff_t>(size);
  first.events.assign(std::make_move_iterator(rest.events.begin()), std::make_move_iterator(end));
  rest.events.erase(rest.events.begin(), end);
  return first;
}

/// How many commits fit into a flight that has `events` events. Adds their events to `events`.
size_t commit_pipeline::commits_that_fit(const batch& from, size_t max_events, size_t& events) {
  size_t count = 0;
  for (const auto& x : from.commits) {
    if (events > 0 && events + x.todo.size() > max_events)
      break;
    events += x.todo.size();
    ++count;
  }
  return count;
}

/// After a flight of visible changes only, further visible changes gather for a while, because no
/// caller waits until they are saved.
commit_pipeline::arrival commit_pipeline::saved() {
  auto arrived = std::exchange(sent_, {});
  arrival result{std::exchange(sent_events_, {}), std::move(arrived.commits), arrived.visible};
  if (result.commits.empty() && gathering_time() > timespan::zero())
    result.gathers = !std::exchange(is_gathering_, true);
  return result;
}

/// Changes that were not visible have not happened. Visible changes stay, and go to the journal
/// again before the changes that have gathered since.
commit_pipeline::refusal commit_pipeline::refused() {
  auto failed = std::exchange(sent_, {});
  auto events = std::exchange(sent_events_, {});
  auto visible_end = events->begin() + static_cast<ptrdiff_t>(failed.visible);
  gathered_.events.insert(gathered_.events.begin(), events->begin(), visible_end);
  gathered_.visible += failed.visible;
  next_sequence_ = events->front().sequence;
  for (auto& event : gathered_.events)
    event.sequence = next_sequence_++;
  is_resting_ = failed.visible > 0; // visible changes are sent again after a pause
  return {std::move(failed.commits), is_resting_, gathered_.visible, gathered_.commits.empty()};
}

std::optional<uint64_t> commit_pipeline::first_busy(
  std::span<const std::string> observation_ids) const {
  if (!busy_.empty())
    for (const auto& id : observation_ids)
      if (auto number = number_of(id); number && busy_.contains(*number))
        return number;
  return std::nullopt;
}

void commit_pipeline::park(uint64_t number, std::function<void()> operation) {
  parked_[number].push_back(std::move(operation));
}

std::function<void()> commit_pipeline::unpark(uint64_t number) {
  auto i = parked_.find(number);
  if (i == parked_.end() || busy_.contains(number))
    return {};
  auto operation = std::move(i->second.front());
  i->second.pop_front();
  if (i->second.empty())
    parked_.erase(i);
  return operation;
}

} // namespace scratchpage
