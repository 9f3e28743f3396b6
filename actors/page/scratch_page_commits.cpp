#include <algorithm>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/messages/observation_size.hpp"

/// How changes become durable. At most one flight is at the journal, and what is
/// committed meanwhile gathers for the next: batches grow with the load, and the
/// order of the sequences is that of the commits.

namespace scratchpage {

void scratch_page_state::commit(
  changes todo, const caller& by, std::string_view operation, on_committed done) {
  if (todo.empty()) {
    done({});
  } else if (is_visible_at_once()) {
    commit_at_once(todo, by, operation);
    done({});
  } else {
    stage(std::move(todo), by, operation, std::move(done));
  }
}

bool scratch_page_state::is_visible_at_once() const {
  switch (setup_.durability.durability) {
  case durability::none:
    return true;
  case durability::async: // in order: not before what waits
    return not_visible_ == 0 && sent_.visible + gathered_.visible < setup_.durability.async_changes;
  default:
    return false;
  }
}

/// When the next change happens. A clock that was set back is followed: one that was ahead once
/// would stamp all changes until then with that time.
timestamp scratch_page_state::next_change() const {
  return to_milliseconds(now());
}

page_event scratch_page_state::make_event(const change& x, const caller& by, timestamp at) {
  page_event event;
  event.sequence = next_sequence_++;
  event.kind = x.kind;
  event.at = at;
  event.turn_id = by.turn_id;
  event.cause = trace_.reserve(by);
  event.bytes = static_cast<uint32_t>(x.bytes > 0 ? x.bytes : memory_of(*x.after));
  event.observation = x.after;
  return event;
}

void scratch_page_state::commit_at_once(
  changes& todo, const caller& by, std::string_view operation) {
  auto at = next_change();
  events_.clear();
  for (const auto& x : todo)
    events_.push_back(make_event(x, by, at));
  if (setup_.durability.durability == durability::async) {
    gathered_.events.insert(gathered_.events.end(), events_.begin(), events_.end());
    gathered_.visible += events_.size();
  }
  apply(todo, by, operation, events_);
  send();
}

void scratch_page_state::stage(
  changes todo, const caller& by, std::string_view operation, on_committed done) {
  auto& commit =
    gathered_.commits.emplace_back(staged_commit{std::move(todo), by, operation, std::move(done)});
  auto at = next_change();
  for (const auto& x : commit.todo) {
    gathered_.events.push_back(make_event(x, by, at));
    commit.growth += growth_by(x, gathered_.events.back().bytes);
  }
  count_staged(commit, 1);
  send();
}

/// Notes what is on its way, or has arrived.
void scratch_page_state::count_staged(const staged_commit& x, int64_t sign) {
  not_visible_ += sign * x.todo.size();
  staged_bytes_ += sign * x.growth;
  if (sign > 0)
    turns_.expect(x.by.turn_id);
  else
    turns_.settle(x.by.turn_id);
  for (const auto& one : x.todo) {
    if (one.protected_bytes != 0)
      shares_.charge(shares_.of(one.after->source), one.kind == event_kind::added ? sign : 0,
        sign * one.protected_bytes);
    if (one.kind == event_kind::added)
      staged_growth_ += sign;
    else if (is_end(one.kind))
      staged_growth_ -= sign;
    if (one.kind == event_kind::added)
      continue;
    if (sign > 0)
      busy_.insert(one.number);
    else
      busy_.erase(one.number);
  }
}

void scratch_page_state::send(size_t arrived) {
  if (sent_events_ || is_resting_ || gathered_.events.empty())
    return;
  if (is_gathering_ && gathered_.commits.empty())
    return;
  sent_ = take_gathered(most_together(arrived));
  auto owner = std::make_shared<const std::vector<page_event>>(std::move(sent_.events));
  sent_events_ = owner;
  append_events request{
    setup_.owner.agent, setup_.owner.epoch, setup_.owner.claim, owner->front().sequence - 1, {}};
  request.events.reserve(owner->size());
  for (const auto& x : *owner)
    request.events.push_back(x, owner);
  save_by_ = agent_.clock->steady() + from_milliseconds(setup_.durability.save_ms);
  watch_flight();
  auto is_this = [this, number = ++flight_] { return sent_events_ && number == flight_; };
  ask(self_, setup_.journal, caf::infinite, std::move(request))
    .then(
      [this, is_this] {
        if (is_this())
          on_saved();
      },
      [this, is_this](const caf::error& err) {
        if (is_this())
          on_not_saved(err);
      });
}

/// One timer for all flights: one for each would wake the system's clock twice for it.
void scratch_page_state::watch_flight() {
  if (std::exchange(watches_flight_, true))
    return;
  self_->run_delayed(save_by_ - agent_.clock->steady(), [this] {
    watches_flight_ = false;
    if (sent_events_ && agent_.clock->steady() >= save_by_)
      on_not_saved(fail(errc::deadline_exceeded, "", "expected the journal to answer in time"));
    else if (sent_events_)
      watch_flight();
  });
}

/// Half of all that is under way, that which has just arrived included: then
/// its callers, who may add more, are answered while the journal works, and
/// neither waits for the other. All at once would alternate with next to nothing.
size_t scratch_page_state::most_together(size_t arrived) const {
  auto limit = std::max<size_t>(setup_.durability.max_batch, 1);
  return arrived == 0 ? limit : std::min(limit, (arrived + gathered_.events.size() + 1) / 2);
}

/// What comes first of what has gathered.
scratch_page_state::flight scratch_page_state::take_gathered(size_t most) {
  if (gathered_.events.size() <= most)
    return std::exchange(gathered_, {});
  flight first;
  auto& rest = gathered_;
  first.visible = std::min(rest.visible, most);
  rest.visible -= first.visible;
  auto size = first.visible;
  auto next = rest.commits.begin();
  for (; rest.visible == 0 && next != rest.commits.end(); ++next) {
    if (size > 0 && size + next->todo.size() > most)
      break;
    size += next->todo.size();
  }
  first.commits.assign(
    std::make_move_iterator(rest.commits.begin()), std::make_move_iterator(next));
  rest.commits.erase(rest.commits.begin(), next);
  auto end = rest.events.begin() + static_cast<ptrdiff_t>(size);
  first.events.assign(std::make_move_iterator(rest.events.begin()), std::make_move_iterator(end));
  rest.events.erase(rest.events.begin(), end);
  return first;
}

void scratch_page_state::on_saved() {
  auto arrived = std::exchange(sent_, {});
  auto owner = std::exchange(sent_events_, {});
  if (arrived.commits.empty())
    gather();
  send(owner->size()); // the journal works while the rest is done here
  auto next = static_cast<ptrdiff_t>(arrived.visible);
  for (auto& x : arrived.commits) {
    auto end = next + static_cast<ptrdiff_t>(x.todo.size());
    events_.assign(owner->begin() + next, owner->begin() + end);
    next = end;
    count_staged(x, -1);
    apply(x.todo, x.by, x.operation, events_);
    x.done({});
    wake(x.todo);
  }
  settle();
}

/// Nobody waits for changes that are visible: they may be many before they are saved.
void scratch_page_state::gather() {
  auto pause = from_milliseconds(setup_.durability.async_ms);
  if (pause <= timespan::zero() || std::exchange(is_gathering_, true))
    return;
  self_->run_delayed(pause, [this] {
    is_gathering_ = false;
    send();
  });
}

/// What was not visible never happened. What was stays, and is offered to the
/// journal again, before what has gathered since.
void scratch_page_state::on_not_saved(const caf::error& err) {
  auto unavailable = fail(errc::storage_unavailable, "", describe(err));
  auto failed = std::exchange(sent_, {});
  auto owner = std::exchange(sent_events_, {});
  auto visible_end = owner->begin() + static_cast<ptrdiff_t>(failed.visible);
  gathered_.events.insert(gathered_.events.begin(), owner->begin(), visible_end);
  gathered_.visible += failed.visible;
  next_sequence_ = owner->front().sequence;
  for (auto& event : gathered_.events)
    event.sequence = next_sequence_++;
  if (gathered_.commits.empty())
    last_number_ = applied_number_; // or else there is a gap: ids are not used twice
  if (failed.visible > 0)
    rest(unavailable);
  refuse(failed.commits, unavailable);
  send();
  settle();
}

/// What is visible already is not offered again at once.
void scratch_page_state::rest(const caf::error& err) {
  constexpr timespan pause = std::chrono::seconds{1};
  is_resting_ = true;
  trace_.write_error("save", as_daemon("scratch_page"), err, {{"changes", gathered_.visible}});
  self_->run_delayed(pause, [this] {
    is_resting_ = false;
    send();
  });
}

void scratch_page_state::refuse(const std::vector<staged_commit>& commits, const caf::error& err) {
  for (const auto& x : commits) {
    count_staged(x, -1);
    for (const auto& one : x.todo)
      if (one.kind == event_kind::added)
        forget_charge(one.number);
    trace_.write_error(x.operation, x.by, err);
    x.done(err);
    wake(x.todo);
  }
}

void scratch_page_state::park(uint64_t number, std::function<void()> attempt) {
  parked_[number].push_back(std::move(attempt));
}

/// Those that waited for these observations go on, in their order, until one of
/// them makes the others wait again.
void scratch_page_state::wake(const changes& arrived) {
  for (const auto& x : arrived) {
    while (!busy_.contains(x.number)) {
      auto i = parked_.find(x.number);
      if (i == parked_.end())
        break;
      auto attempt = std::move(i->second.front());
      i->second.pop_front();
      if (i->second.empty())
        parked_.erase(i);
      attempt();
    }
  }
}

/// The first of them that has a change on its way to storage.
std::optional<uint64_t> scratch_page_state::busy_one(
  std::span<const std::string> observation_ids) const {
  if (!busy_.empty())
    for (const auto& id : observation_ids)
      if (auto number = number_of(id); number && busy_.contains(*number))
        return number;
  return std::nullopt;
}

} // namespace scratchpage
