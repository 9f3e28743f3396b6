#include <algorithm>
#include <tuple>
#include <utility>

#include "scratchpage/actors/page/scratch_page.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/observation.hpp"

/// The commits of the page: sends the flights of the commit pipeline to the journal, sets the
/// pipeline's timers, and applies and answers commits that were saved.

namespace scratchpage {

void scratch_page_state::commit(
  page_changes todo, const caller& by, std::string_view operation, on_committed done) {
  if (todo.empty()) {
    done({});
  } else if (commits_.is_visible_at_once()) {
    commit_at_once(todo, by, operation);
    done({});
  } else {
    stage(std::move(todo), by, operation, std::move(done));
  }
}

/// The time of the next change, by the system clock. It may be earlier than that of the last
/// change: if the clock was ahead once, later changes do not keep that time.
timestamp scratch_page_state::next_change() const {
  return to_milliseconds(now());
}

/// Makes the events of the changes. Their sequences come from the pipeline.
scratch_page_state::commit_events scratch_page_state::make_events(
  const page_changes& todo, const caller& by) {
  auto at = next_change();
  commit_events result;
  result.reserve(todo.size());
  for (const auto& x : todo) {
    auto& event = result.emplace_back();
    event.kind = x.kind;
    event.at = x.at.value_or(at);
    event.turn_id = by.turn_id;
    event.cause = trace_.reserve(by);
    event.bytes = static_cast<uint32_t>(x.bytes > 0 ? x.bytes : memory_of(*x.after));
    event.observation = x.after;
    event.request = x.request;
  }
  return result;
}

void scratch_page_state::commit_at_once(
  page_changes& todo, const caller& by, std::string_view operation) {
  auto events = make_events(todo, by);
  commits_.publish(events);
  apply(todo, by, operation, events);
  send();
}

void scratch_page_state::stage(
  page_changes todo, const caller& by, std::string_view operation, on_committed done) {
  auto events = make_events(todo, by);
  int64_t growth = 0;
  for (size_t i = 0; i < todo.size(); ++i)
    growth += growth_by(todo[i], events[i].bytes);
  turns_.expect(by.turn_id);
  protection_.count_staged(todo, 1);
  commits_.stage({std::move(todo), by, operation, std::move(done), growth}, events);
  send();
}

/// The commit has arrived or was refused: ends what counts while it is on its way.
void scratch_page_state::settle(const commit_pipeline::commit& x) {
  commits_.settle(x);
  turns_.settle(x.by.turn_id);
  protection_.count_staged(x.todo, -1);
}

void scratch_page_state::send(size_t arrived) {
  auto next = commits_.next_flight(arrived);
  if (!next)
    return;
  const auto& events = *next->events;
  append_events request{
    setup_.owner.agent, setup_.owner.epoch, setup_.owner.claim, events.front().sequence - 1, {}};
  request.events.reserve(events.size());
  for (const auto& x : events)
    request.events.push_back(x, next->events);
  commits_.begin_wait(agent_.clock->steady());
  watch_flight();
  auto is_this = [this, number = next->number] { return commits_.is_under_way(number); };
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

/// Starts one timer for all flights. A timer for each would wake the system's clock twice for each.
void scratch_page_state::watch_flight() {
  if (!commits_.begin_watch())
    return;
  flight_.start(self_, commits_.answer_by() - agent_.clock->steady(), [this] {
    commits_.end_watch();
    if (!commits_.is_any_under_way())
      return;
    if (agent_.clock->steady() >= commits_.answer_by())
      on_not_saved(fail(errc::deadline_exceeded, "", "expected the journal to answer in time"));
    else
      watch_flight();
  });
}

void scratch_page_state::on_saved() {
  auto arrived = commits_.saved();
  if (arrived.gathers)
    self_->run_delayed(commits_.gathering_time(), [this] {
      commits_.end_gathering();
      send();
    });
  send(arrived.events->size()); // first, so that the journal works in the meantime
  auto next = arrived.events->begin() + static_cast<ptrdiff_t>(arrived.visible);
  for (auto& x : arrived.commits) {
    auto end = next + static_cast<ptrdiff_t>(x.todo.size());
    commit_events events(next, end);
    next = end;
    settle(x);
    apply(x.todo, x.by, x.operation, events);
    x.done({});
    wake(x.todo);
  }
  settle();
}

void scratch_page_state::on_not_saved(const caf::error& err) {
  auto unavailable = fail(errc::storage_unavailable, "", describe(err));
  auto failed = commits_.refused();
  if (failed.is_empty)
    ids_.give_back(); // otherwise there is a gap, because numbers are not used twice
  if (failed.rests)
    rest(unavailable, failed.visible);
  refuse(failed.commits, unavailable);
  send();
  settle();
}

/// Pauses before visible changes are sent to the journal again.
void scratch_page_state::rest(const caf::error& err, size_t visible) {
  constexpr timespan pause = std::chrono::seconds{1};
  trace_.write_error("save", as_daemon("scratch_page"), err, {{"changes", visible}});
  self_->run_delayed(pause, [this] {
    commits_.end_rest();
    send();
  });
}

void scratch_page_state::refuse(
  const std::vector<commit_pipeline::commit>& commits, const caf::error& err) {
  for (const auto& x : commits) {
    settle(x);
    for (const auto& one : x.todo)
      if (one.kind == event_kind::added)
        protection_.forget_charge(one.number);
    trace_.write_error(x.operation, x.by, err);
    x.done(err);
    wake(x.todo);
  }
}

/// Continues the operations that wait for these observations, in their order, until one of them
/// makes its observation busy again.
void scratch_page_state::wake(const page_changes& arrived) {
  for (const auto& x : arrived)
    while (auto operation = commits_.unpark(x.number))
      operation();
}

void scratch_page_state::restore(const recovered_page& from) {
  auto kept = take_keepsake(from);
  was_at_rest_ = kept.has_value();
  counts_.expired = from.expired;
  counts_.evicted = from.evicted;
  restore_log(from, kept ? kept->log_begin : 0);
  commits_.begin_at(log_.next());
  positions_.restore(from.positions);
  for (const auto& type : from.types)
    std::ignore = types_.add(type);
  for (const auto& [number, x] : from.observations) {
    index_.insert(number, x);
    counts_.bytes += static_cast<int64_t>(memory_of(*x));
    if (!kept)
      count_restored(number, x, from);
  }
  ids_.begin_after(from.last_number);
  if (kept) {
    log_.forget_before(kept->log_oldest);
    go_on(std::move(*kept));
  }
  share_memory();
}

/// Restores the latest changes, from the one with the sequence `begin` on.
void scratch_page_state::restore_log(const recovered_page& from, uint64_t begin) {
  auto is_earlier = [begin](const page_event& x) { return x.sequence < begin; };
  auto first = std::find_if_not(from.latest.begin(), from.latest.end(), is_earlier);
  log_.begin_after(from.sequence - static_cast<uint64_t>(from.latest.end() - first));
  for (const auto& x : from.requests)
    keys_.keep(*x.request, x.sequence, x.observation);
  for (const auto& x : from.latest)
    if (x.request)
      keys_.keep(*x.request, x.sequence, x.observation);
  keys_.note(from.sequence);
  for (; first != from.latest.end(); ++first) {
    auto event = *first;
    event.bytes = event.observation ? static_cast<uint32_t>(memory_of(*event.observation)) : 0;
    log_.append(std::move(event));
  }
}

/// Counts an observation of the last process for its source, as far as that can be known.
void scratch_page_state::count_restored(
  uint64_t number, const observation_ptr& x, const recovered_page& from) {
  auto bytes = static_cast<int64_t>(memory_of(*x));
  auto share = protection_.shares().of(x->source);
  protection_.shares().count(share, 1, bytes);
  protection_.charge_restored(number, *x, bytes);
  put_in_order(number, *x, share);
  for (const auto& goal : x->linked_goal_ids)
    if (auto known = from.goals.find(goal); known != from.goals.end() && known->second)
      protection_.add_evidence(goal, number, *x);
}

/// Ends observations that have expired in the meantime. Removes links to goals that were not stored
/// before the process ended, and offers observations that may make a goal to the Frontal Cortex.
/// After a rest only the time has to be made up for.
void scratch_page_state::resume(const recovered_page& from) {
  if (was_at_rest_) {
    catch_up(from.last_change);
    settle();
    return;
  }
  expire();
  auto by = as_daemon("scratch_page");
  auto is_unknown = [&](const std::string& goal) { return !from.goals.contains(goal); };
  page_changes undone;
  for (const auto& [number, x] : from.observations) {
    if (commits_.is_busy(number))
      continue; // it expires
    auto links = x->linked_goal_ids;
    if (std::erase_if(links, is_unknown) > 0) {
      auto next = *x;
      next.linked_to_goal = !links.empty();
      next.linked_goal_ids = std::move(links);
      ++next.revision;
      undone.push_back({event_kind::linked, number, observation_ptr{std::move(next)}});
    } else if (!x->linked_to_goal) {
      judge(number, {.sequence = 0, .observation = x});
    }
  }
  commit(std::move(undone), by, "unlink_observation", [](const caf::error&) {});
  settle();
}

} // namespace scratchpage
