#include "scratchpage/actors/memory/working_memory.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

struct working_memory::assembly {
  assemble_context request;
  caf::typed_response_promise<assembled_context> promise;
  timespan started{}; ///< on the steady clock
  context_material material;
  std::vector<observation_ptr> waits; ///< questions and alerts, whatever the prompt is about
  uint32_t missing = 5;               ///< parts that have not come yet

  /// The text of the queries: the prompt, or the beginning of a prompt that is too long for one.
  std::string query() const {
    return std::string{utf8::prefix(request.prompt, filter_limits::query_bytes)};
  }

  /// The caller of the requests for the parts. A caller from outside stays the caller, so that it
  /// waits as if it had asked for each part itself.
  caller by() const {
    return request.by.outside ? request.by : as_daemon(name, request.by.turn_id, request.by.cause);
  }
};

namespace {

/// Adds those that are not there yet.
void add_missing(std::vector<observation_ptr>& to, std::vector<observation_ptr> more) {
  std::set<std::string> known;
  for (const auto& x : to)
    if (x)
      known.insert(x->observation_id);
  for (auto& x : more)
    if (x && known.insert(x->observation_id).second)
      to.push_back(std::move(x));
}

} // namespace

caf::error validate(const working_memory_config& config) {
  if (auto err = validate(config.context))
    return err;
  for (auto limit : {config.max_observations, config.max_facts, config.max_episodes})
    if (auto err = check_limit(limit))
      return err;
  if (config.part_deadline <= timespan{0})
    return fail(errc::invalid_request, "part_deadline", "expected more than 0 milliseconds");
  if (config.max_in_flight == 0)
    return fail(errc::invalid_request, "max_in_flight", "expected at least 1");
  if (config.max_in_flight_per_source == 0)
    return fail(errc::invalid_request, "max_in_flight_per_source", "expected at least 1");
  return {};
}

working_memory::working_memory(handle::pointer self, const agent_context& agent,
  working_memory_sources sources, working_memory_config config, token_counter count,
  shared_settings<text_config> text)
  : self_{self},
    clock_{agent.clock},
    sources_{std::move(sources)},
    config_{std::move(config)},
    assembler_{config_.context, std::move(count), std::move(text)},
    trace_{agent, name, static_cast<uint32_t>(component::working_memory)} {}

working_memory::handle::behavior_type working_memory::make_behavior() {
  if (auto err = validate(config_)) {
    self_->quit(err);
    return handle::behavior_type::make_empty_behavior();
  }
  return {[this](assemble_context& request) { return assemble(request); }};
}

caf::result<assembled_context> working_memory::assemble(assemble_context& request) {
  if (auto err = check_room(request.by)) {
    trace_.write_error("assemble_context", request.by, err);
    return err;
  }
  ++in_flight_;
  if (request.by.outside)
    ++from_outside_[principal_key(request.by)];
  auto job = std::make_shared<assembly>();
  job->request = std::move(request);
  job->started = clock_->steady();
  job->promise = self_->make_response_promise<assembled_context>();
  auto promise = job->promise;
  read_observations(job);
  read_what_waits(job);
  read_goals(job);
  read_facts(job);
  read_episodes(job);
  return promise;
}

caf::error working_memory::check_room(const caller& by) const {
  auto too_many = [](uint32_t limit, const std::string& whose) {
    return fail(errc::overloaded, "",
      "expected at most " + std::to_string(limit) + " contexts at the same time" + whose);
  };
  if (in_flight_ == config_.max_in_flight)
    return too_many(config_.max_in_flight, "");
  auto theirs = by.outside ? from_outside_.find(principal_key(by)) : from_outside_.end();
  if (theirs != from_outside_.end() && theirs->second >= config_.max_in_flight_per_source)
    return too_many(config_.max_in_flight_per_source, " of " + principal_of(by));
  return {};
}

void working_memory::read_observations(const assembly_ptr& job) {
  if (!sources_.page)
    return part_is_in(job);
  query_observations query;
  query.by = job->by();
  query.text = job->query();
  // A filter makes the text rank the results; without one the text would select (contract 3).
  query.filter.status = {status::active, status::pending_review};
  query.limit = config_.max_observations;
  query.deadline = config_.part_deadline / 2; // some results in time are better than none
  auto done = [this, job](query_result& found) {
    job->material.observations = std::move(found.observations);
    part_is_in(job);
  };
  auto failed = [this, job](const caf::error& err) { part_failed(job, "observations", err); };
  ask(self_, sources_.page, config_.part_deadline, std::move(query)).then(done, failed);
}

/// Reads the open questions and alerts, the newest first. The prompt does not choose among them.
void working_memory::read_what_waits(const assembly_ptr& job) {
  if (!sources_.page)
    return part_is_in(job);
  query_observations query;
  query.by = job->by();
  query.filter.type = {"pending_confirmation", "alert", "risk_alert", "security_alert"};
  query.filter.status = {status::active, status::pending_review};
  query.limit = config_.max_observations;
  query.deadline = config_.part_deadline / 2;
  auto done = [this, job](query_result& found) {
    job->waits = std::move(found.observations);
    part_is_in(job);
  };
  auto failed = [this, job](const caf::error& err) { part_failed(job, "waits", err); };
  ask(self_, sources_.page, config_.part_deadline, std::move(query)).then(done, failed);
}

void working_memory::read_goals(const assembly_ptr& job) {
  if (!sources_.goals)
    return part_is_in(job);
  list_goals query;
  query.by = job->by();
  query.status = {goal_status::pending, goal_status::in_progress, goal_status::blocked};
  auto done = [this, job](goal_list& found) {
    job->material.goals = std::move(found.goals);
    part_is_in(job);
  };
  auto failed = [this, job](const caf::error& err) { part_failed(job, "goals", err); };
  ask(self_, sources_.goals, config_.part_deadline, std::move(query)).then(done, failed);
}

void working_memory::read_facts(const assembly_ptr& job) {
  if (!sources_.facts)
    return part_is_in(job);
  query_facts query;
  query.by = job->by();
  query.text = job->query();
  query.limit = config_.max_facts;
  auto done = [this, job](fact_list& found) {
    job->material.facts = std::move(found.facts);
    part_is_in(job);
  };
  auto failed = [this, job](const caf::error& err) { part_failed(job, "facts", err); };
  ask(self_, sources_.facts, config_.part_deadline, std::move(query)).then(done, failed);
}

void working_memory::read_episodes(const assembly_ptr& job) {
  if (!sources_.episodes)
    return part_is_in(job);
  // Without a text: it would select only episodes that have all words of the prompt.
  query_episodes query;
  query.by = job->by();
  query.limit = config_.max_episodes;
  auto done = [this, job](episode_list& found) {
    job->material.episodes = std::move(found.episodes);
    part_is_in(job);
  };
  auto failed = [this, job](const caf::error& err) { part_failed(job, "episodes", err); };
  ask(self_, sources_.episodes, config_.part_deadline, std::move(query)).then(done, failed);
}

void working_memory::part_failed(const assembly_ptr& job, const char* part, const caf::error& err) {
  trace_.write_error("read_part", job->request.by, err, {{"part", part}});
  part_is_in(job);
}

void working_memory::part_is_in(const assembly_ptr& job) {
  if (--job->missing == 0)
    finish(*job);
}

void working_memory::finish(assembly& job) {
  --in_flight_;
  const auto& request = job.request;
  if (request.by.outside)
    if (auto theirs = from_outside_.find(principal_key(request.by)); --theirs->second == 0)
      from_outside_.erase(theirs);
  add_missing(job.material.observations, std::move(job.waits));
  auto result = assembler_.assemble(job.material, request.prompt, request.budget);
  json::object parts;
  for (const auto& part : result.parts)
    parts[part.name] = part.tokens;
  json::object detail{
    {"budget", request.budget}, {"tokens", result.tokens}, {"parts", std::move(parts)}};
  trace_.write("assemble_context", request.by, std::move(detail), "success", job.started);
  job.promise.deliver(std::move(result));
}

} // namespace scratchpage
