#include "scratchpage/actors/memory/semantic_memory.hpp"

#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/memory/fact_lesson_of.hpp"
#include "scratchpage/actors/memory/memory_components.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/observation_id.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"

namespace scratchpage {

semantic_memory::semantic_memory(handle::pointer self, const agent_context& agent,
  std::shared_ptr<semantic_store> store, scratch_page_actor page, semantic_memory_config config)
  : self_{self},
    clock_{agent.clock},
    store_{std::move(store)},
    page_{std::move(page)},
    config_{config},
    trace_{agent, name, semantic_memory_component},
    last_lesson_{store_->last_lesson()},
    outside_{self, agent.clock, [this](const caller& by, const caf::error& err) {
               trace_.write_error("query_facts", by, err);
             }} {}

semantic_memory::handle::behavior_type semantic_memory::make_behavior() {
  if (page_)
    subscribe_to_page(config_.subscribe_attempts);
  return {
    [this](const event_batch& batch) { take_in(batch); },
    [this](const query_facts& request) {
      return outside_.answer<fact_list>(request.by, from_milliseconds(query_limits::waiting_ms),
        [this, request] { return query(request); });
    },
    [this](const purge_observations& request) { return purge(request); },
  };
}

void semantic_memory::subscribe_to_page(uint32_t attempts_left) {
  if (attempts_left == 0)
    return;
  subscribe request;
  request.by = as_daemon(name);
  request.subscriber = handle{self_};
  request.filter.type = {"learning"};
  request.from.sequence = 0;
  request.part_of_turns = true;
  auto done = [this](uint64_t sequence) {
    trace_.write("subscribe", as_daemon(name), {{"sequence", sequence}});
  };
  auto failed = [this, attempts_left](const caf::error& err) {
    trace_.write_error("subscribe", as_daemon(name), err, {{"attempts_left", attempts_left - 1}});
    self_->run_delayed(
      config_.subscribe_pause, [this, attempts_left] { subscribe_to_page(attempts_left - 1); });
  };
  ask(self_, page_, config_.subscribe_deadline, std::move(request)).then(done, failed);
}

void semantic_memory::take_in(const event_batch& batch) {
  for (const auto& event : batch.events)
    take_in(event);
  learn_what_waits();
}

void semantic_memory::take_in(const page_event& event) {
  auto by = as_daemon(name, event.turn_id, event.cause);
  if (event.kind == event_kind::lagged) {
    trace_.write("learn", by, {{"missed", event.missed}}, "warning");
    return;
  }
  if (event.observation && is_from_tool(*event.observation)) {
    trace_.write("learn", by, {{"observation_id", event.observation->observation_id}}, "forbidden");
    return;
  }
  auto is_news = event.kind == event_kind::added || event.kind == event_kind::current;
  if (!is_news || !event.observation || event.observation->type != "learning"
      || is_purged(*event.observation)) // which says nothing any more
    return;
  const auto& id = event.observation->observation_id;
  auto number = number_of(id).value_or(0);
  if (number <= last_lesson_) // numbers grow, so it was there before
    return;
  last_lesson_ = number;
  auto lesson = fact_lesson_of(*event.observation);
  if (lesson)
    waiting_.push_back({std::move(*lesson), event.at, std::move(by), id, number});
  else
    trace_.write_error("learn", by, lesson.error(), {{"observation_id", id}});
}

void semantic_memory::learn_what_waits() {
  while (!waiting_.empty()) {
    auto err = learn(waiting_.front());
    if (code_of(err) == errc::storage_unavailable)
      return give_up_what_is_too_much(err);
    waiting_.pop_front();
  }
}

caf::error semantic_memory::learn(const waiting_lesson& what) {
  json::object detail{{"observation_id", what.observation_id}};
  auto learnt = store_->learn(what.lesson, what.at, what.number);
  if (!learnt) {
    trace_.write_error("learn", what.by, learnt.error(), std::move(detail));
    return learnt.error();
  }
  detail["fact_id"] = learnt->fact_id;
  detail["outcome"] = to_string(what.lesson.outcome);
  detail["confidence"] = learnt->confidence;
  detail["support"] = learnt->support;
  trace_.write("learn", what.by, std::move(detail));
  return {};
}

void semantic_memory::give_up_what_is_too_much(const caf::error& err) {
  for (; waiting_.size() > config_.max_waiting; waiting_.pop_front())
    trace_.write_error(
      "give_up", waiting_.front().by, err, {{"observation_id", waiting_.front().observation_id}});
}

caf::expected<fact_list> semantic_memory::query(const query_facts& request) {
  auto found = store_->query(request);
  if (!found) {
    trace_.write_error("query_facts", request.by, found.error());
    return found.error();
  }
  trace_.write("query_facts", request.by, {{"found", found->facts.size()}});
  return found;
}

caf::result<void> semantic_memory::purge(const purge_observations& request) {
  json::object detail{{"observations", request.observation_ids.size()}};
  if (auto err = store_->purge(purger{request})) {
    trace_.write_error("purge_observations", request.by, err, std::move(detail));
    return err;
  }
  trace_.write("purge_observations", request.by, std::move(detail));
  return caf::unit;
}

} // namespace scratchpage
