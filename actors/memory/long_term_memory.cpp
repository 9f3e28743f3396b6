#include "scratchpage/actors/memory/long_term_memory.hpp"

#include <algorithm>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/memory/fact_rules.hpp"
#include "scratchpage/actors/memory/forget_rules.hpp"
#include "scratchpage/actors/turns/turn_record.hpp"
#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/privacy/purger.hpp"

namespace scratchpage {

namespace {

/// Makes a list of turns from episodes that are given one after another. Keeps no episode.
class turn_list_builder {
public:
  explicit turn_list_builder(uint32_t limit)
    : limit_{limit} {}

  /// Adds a summary of `x`. Returns whether it takes more. The list ends only between turns that
  /// ended at different times: the next list begins before the time of the last turn, and would
  /// miss others of the same time.
  bool take(const episode& x) {
    auto ended_at = to_milliseconds(x.ended_at);
    if (bytes_ > episode_limits::listed_bytes && ended_at != last_) {
      result_.next_before = last_;
      return false;
    }
    bytes_ += memory_of(x);
    last_ = ended_at;
    result_.turns.push_back(summary_of(x));
    return result_.turns.size() < limit_;
  }

  turn_list& result() { return result_; }

private:
  uint32_t limit_;
  size_t bytes_ = 0;
  timestamp last_;
  turn_list result_;
};

} // namespace

episodic_memory::episodic_memory(handle::pointer self, const agent_context& agent,
  std::shared_ptr<episodic_store> store, episodic_timeouts timeouts)
  : store_{std::move(store)},
    trace_{agent, name, static_cast<uint32_t>(component::episodic_memory)},
    timeouts_{timeouts},
    outside_{self, agent.clock,
      [this](
        const caller& by, const caf::error& err) { trace_.write_error("query_episodes", by, err); },
      agent.work()} {}

episodic_memory::handle::behavior_type episodic_memory::make_behavior() {
  return {
    [this](record_episode& request) { return record(request); },
    [this](const query_episodes& request) {
      return outside_.answer<episode_list>(
        request.by, timeouts_.query, [this, request] { return query(request); });
    },
    [this](const list_turns& request) {
      return outside_.answer<turn_list>(
        request.by, timeouts_.list, [this, request] { return list(request); });
    },
    [this](const purge_observations& request) { purge(request); },
    [this](const forget& request) { return remove(request); },
    [this](const keep_turn& request) { return keep(request); },
    [this](const drop_turn& request) { return drop(request); },
    [this](const list_kept_turns& request) { return list_kept(request); },
  };
}

caf::result<void> episodic_memory::keep(const keep_turn& request) {
  if (auto err = store_->keep_open(request.turn)) {
    trace_.write_error("keep_turn", request.by, err);
    return err;
  }
  return caf::unit; // `begin_turn` is traced already
}

caf::result<void> episodic_memory::drop(const drop_turn& request) {
  if (auto err = store_->drop_open(request.by.turn_id)) {
    trace_.write_error("drop_turn", request.by, err);
    return err;
  }
  return caf::unit;
}

caf::result<kept_turn_list> episodic_memory::list_kept(const list_kept_turns& request) {
  auto found = store_->open_turns();
  if (!found) {
    trace_.write_error("list_kept_turns", request.by, found.error());
    return found.error();
  }
  return kept_turn_list{std::move(*found), store_->outlives_process()};
}

caf::result<void> episodic_memory::record(record_episode& request) {
  json::object detail{
    {"turn_id", request.episode.turn_id}, {"observations", request.episode.observations.size()}};
  if (auto err = store_->record(std::move(request.episode))) {
    trace_.write_error("record_episode", request.by, err, std::move(detail));
    return err;
  }
  trace_.write("record_episode", request.by, std::move(detail));
  return caf::unit;
}

caf::expected<episode_list> episodic_memory::query(const query_episodes& request) {
  auto found = store_->query(request);
  if (!found) {
    trace_.write_error("query_episodes", request.by, found.error());
    return found.error();
  }
  trace_.write("query_episodes", request.by, {{"found", found->episodes.size()}});
  return found;
}

caf::expected<turn_list> episodic_memory::list(const list_turns& request) {
  query_episodes what;
  what.by = request.by;
  what.before = request.before;
  turn_list_builder turns{request.limit};
  auto err = check_limit(request.limit);
  if (!err)
    err = store_->visit(what, [&turns](const episode& x) { return turns.take(x); });
  if (err) {
    trace_.write_error("query_episodes", request.by, err);
    return err;
  }
  trace_.write("query_episodes", request.by, {{"found", turns.result().turns.size()}});
  return std::move(turns.result());
}

caf::result<void> episodic_memory::remove(const forget& request) {
  auto id = request.turn_id.value_or("");
  if (auto err = store_->drop(id)) {
    trace_.write_error("forget", request.by, err);
    return err;
  }
  trace_.write("forget", request.by, {{"episode_of", id}});
  return caf::unit;
}

void episodic_memory::purge(const purge_observations& request) {
  store_->purge(purger{request});
  trace_.write(
    "purge_observations", request.by, {{"observations", request.observation_ids.size()}});
}

caf::expected<fact_lesson> fact_lesson_of(const observation& x) {
  fact_lesson result;
  if (const auto* told = x.metadata.if_contains("fact"); told != nullptr && !told->is_null()) {
    auto read = from_json<fact_lesson>(*told);
    if (!read)
      return fail(code_of(read.error()), "metadata.fact", describe(read.error()));
    result = std::move(*read);
  }
  // Only the Reflector may name the sources of a lesson. Other lessons come from their own source.
  if (x.source.kind != source_kind::daemon || x.source.name != "reflector")
    result.sources = {said_by(x.source)};
  if (result.statement.empty())
    result.statement = x.content;
  if (result.tags.empty())
    result.tags = x.tags;
  if (result.observation_ids.empty())
    result.observation_ids = {x.observation_id};
  keep_limits(result);
  return result;
}

semantic_memory::semantic_memory(handle::pointer self, const agent_context& agent,
  std::shared_ptr<semantic_store> store, scratch_page_actor page, semantic_memory_config config,
  std::shared_ptr<const pii_masker> masker)
  : self_{self},
    kept_{agent.kept},
    clock_{agent.clock},
    store_{std::move(store)},
    page_{std::move(page)},
    config_{config},
    masker_{std::move(masker)},
    trace_{agent, name, static_cast<uint32_t>(component::semantic_memory)},
    last_lesson_{store_->last_lesson()},
    waits_{agent.work()},
    doubts_{agent.work()},
    outside_{self, agent.clock,
      [this](
        const caller& by, const caf::error& err) { trace_.write_error("query_facts", by, err); },
      agent.work()} {
  if (auto before = take_kept<kept_numbers>(agent.kept)) {
    last_lesson_ = std::max(last_lesson_, before->last_lesson);
    store_->go_on_after(before->last_fact);
    woken_at_ = kept_->woken_at();
  }
}

semantic_memory::~semantic_memory() {
  if (kept_)
    kept_->put(kept_numbers{last_lesson_, store_->last_number()}, sizeof(kept_numbers));
}

semantic_memory::handle::behavior_type semantic_memory::make_behavior() {
  if (page_)
    subscribe_to_page(config_.subscribe_attempts);
  return {
    [this](const event_batch& batch) { take_in(batch); },
    [this](const query_facts& request) {
      return outside_.answer<fact_list>(request.by, from_milliseconds(query_limits::waiting_ms),
        [this, request] { return query(request); });
    },
    [this](add_fact& request) { return add(request); },
    [this](update_fact& request) { return update(request); },
    [this](const forget& request) { return remove(request); },
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
  request.from.sequence = woken_at_.value_or(0); // all lessons before a rest were taken in
  request.part_of_turns = true;
  auto done = [this](uint64_t sequence) {
    if (!woken_at_)
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
  learn_waiting();
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
      || is_purged(*event.observation)) // its content is gone
    return;
  const auto& id = event.observation->observation_id;
  auto number = number_of(id).value_or(0);
  if (number <= last_lesson_) // numbers grow, so this lesson was taken in before
    return;
  last_lesson_ = number;
  auto lesson = fact_lesson_of(*event.observation);
  if (lesson)
    waiting_.push_back({std::move(*lesson), event.at, std::move(by), id, number});
  else
    trace_.write_error("learn", by, lesson.error(), {{"observation_id", id}});
}

void semantic_memory::learn_waiting() {
  while (!waiting_.empty()) {
    auto err = learn(waiting_.front());
    if (code_of(err) == errc::storage_unavailable)
      return drop_excess(err);
    waiting_.pop_front();
  }
  waits_.set(false);
}

caf::error semantic_memory::learn(const waiting_lesson& what) {
  json::object detail{{"observation_id", what.observation_id}};
  auto learnt = store_->learn(what.lesson, what.at, what.number);
  doubts_.set(store_->is_in_doubt());
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

void semantic_memory::drop_excess(const caf::error& err) {
  for (; waiting_.size() > config_.max_waiting; waiting_.pop_front())
    trace_.write_error(
      "give_up", waiting_.front().by, err, {{"observation_id", waiting_.front().observation_id}});
  waits_.set(!waiting_.empty());
}

caf::expected<fact_list> semantic_memory::query(const query_facts& request) {
  auto err = check_limits(request);
  auto found = err ? caf::expected<fact_list>{err} : store_->query(request);
  if (!found) {
    trace_.write_error("query_facts", request.by, found.error());
    return found.error();
  }
  trace_.write("query_facts", request.by, {{"found", found->facts.size()}});
  return found;
}

caf::result<fact> semantic_memory::add(add_fact& request) {
  if (masker_) {
    request.statement = masker_->mask(request.statement);
    for (auto& tag : request.tags)
      tag = masker_->mask(tag);
  }
  return tell_change("add_fact", request.by, fact_rules{*store_, clock_->now()}.add(request));
}

caf::result<fact> semantic_memory::update(update_fact& request) {
  if (masker_ && request.statement)
    request.statement = masker_->mask(*request.statement);
  if (masker_ && request.tags)
    for (auto& tag : *request.tags)
      tag = masker_->mask(tag);
  return tell_change("update_fact", request.by, fact_rules{*store_, clock_->now()}.update(request));
}

caf::result<void> semantic_memory::remove(const forget& request) {
  auto id = request.fact_id.value_or("");
  const auto* known = store_->find_id(id);
  auto err = known == nullptr ? fail(errc::not_found, "fact_id", "there is no fact '" + id + "'")
             : !may_forget(*known, request.by) ? fail(errc::forbidden, "fact_id", only_own)
                                               : store_->drop(id);
  doubts_.set(store_->is_in_doubt());
  if (err) {
    trace_.write_error("forget", request.by, err);
    return err;
  }
  trace_.write("forget", request.by, {{"fact_id", id}});
  return caf::unit;
}

caf::result<fact> semantic_memory::tell_change(
  std::string_view operation, const caller& by, const caf::expected<fact>& changed) {
  doubts_.set(store_->is_in_doubt());
  if (!changed) {
    trace_.write_error(operation, by, changed.error());
    return changed.error();
  }
  trace_.write(operation, by,
    {{"fact_id", changed->fact_id}, {"confidence", changed->confidence},
      {"support", changed->support}});
  return *changed;
}

caf::result<void> semantic_memory::purge(const purge_observations& request) {
  json::object detail{{"observations", request.observation_ids.size()}};
  auto err = store_->purge(purger{request});
  doubts_.set(store_->is_in_doubt());
  if (err) {
    trace_.write_error("purge_observations", request.by, err, std::move(detail));
    return err;
  }
  trace_.write("purge_observations", request.by, std::move(detail));
  return caf::unit;
}

} // namespace scratchpage
