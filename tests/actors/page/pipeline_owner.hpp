#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/actors/page/commit_pipeline.hpp"
#include "scratchpage/tests/support/observations.hpp"

namespace scratchpage::test {

inline page_change change_of(event_kind kind, uint64_t number) {
  return {kind, number, observation_ptr{plain_observation(number)}};
}

inline page_changes added(uint64_t first, uint64_t count = 1) {
  page_changes result;
  for (uint64_t i = 0; i < count; ++i)
    result.push_back(change_of(event_kind::added, first + i));
  return result;
}

inline page_changes updated(uint64_t number) {
  return {change_of(event_kind::updated, number)};
}

/// Uses a pipeline as a page does, and records the results. The `cause` of an operation's events,
/// a number that the test chooses, identifies the operation.
class pipeline_owner {
public:
  explicit pipeline_owner(const durability_config& with)
    : pipeline{with} {}

  commit_pipeline pipeline;
  std::vector<page_event> applied;
  std::vector<page_event> saved;
  std::vector<span_id> refused;
  std::optional<commit_pipeline::flight> at_journal;
  bool gathers = false; ///< the journal has saved visible changes, and a pause has begun
  bool rests = false;   ///< the journal has refused visible changes, and a pause has begun

  void commit(page_changes todo, span_id operation, int64_t growth = 0) {
    auto events = events_of(todo, operation);
    if (pipeline.is_visible_at_once()) {
      pipeline.publish(events);
      apply(events);
    } else {
      auto by = as_daemon("probe", "", operation);
      pipeline.stage({std::move(todo), std::move(by), "test", {}, growth}, events);
    }
    send();
  }

  /// Updates the observation; if a change of it is under way, waits until that is settled.
  void update(uint64_t number, span_id operation) {
    if (pipeline.is_busy(number))
      pipeline.park(number, [this, number, operation] { update(number, operation); });
    else
      commit(updated(number), operation);
  }

  void send(size_t arrived = 0) {
    if (auto next = pipeline.next_flight(arrived))
      at_journal = std::move(next);
  }

  void journal_saves() {
    at_journal.reset();
    auto arrived = pipeline.saved();
    saved.insert(saved.end(), arrived.events->begin(), arrived.events->end());
    gathers = gathers || arrived.gathers;
    send(arrived.events->size());
    auto next = arrived.events->begin() + static_cast<ptrdiff_t>(arrived.visible);
    for (const auto& x : arrived.commits) {
      auto end = next + static_cast<ptrdiff_t>(x.todo.size());
      pipeline.settle(x);
      apply({next, end});
      next = end;
      wake(x.todo);
    }
  }

  void journal_refuses() {
    at_journal.reset();
    auto failed = pipeline.refused();
    rests = rests || failed.rests;
    for (const auto& x : failed.commits) {
      pipeline.settle(x);
      refused.push_back(x.by.cause);
      wake(x.todo);
    }
    send();
  }

  void end_gathering() {
    gathers = false;
    pipeline.end_gathering();
    send();
  }

  void end_rest() {
    rests = false;
    pipeline.end_rest();
    send();
  }

private:
  static std::vector<page_event> events_of(const page_changes& todo, span_id operation) {
    std::vector<page_event> result;
    for (const auto& x : todo) {
      auto& event = result.emplace_back();
      event.kind = x.kind;
      event.cause = operation;
      event.observation = x.after;
    }
    return result;
  }

  void apply(const std::vector<page_event>& events) {
    applied.insert(applied.end(), events.begin(), events.end());
  }

  void wake(const page_changes& arrived) {
    for (const auto& x : arrived)
      while (auto operation = pipeline.unpark(x.number))
        operation();
  }
};

} // namespace scratchpage::test
