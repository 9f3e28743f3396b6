#include "scratchpage/actors/memory/memories.hpp"

#include <algorithm>
#include <utility>

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/base/outside_requests.hpp"
#include "scratchpage/actors/memory/fact_rules.hpp"
#include "scratchpage/actors/memory/forget_rules.hpp"
#include "scratchpage/actors/memory/memory_ranking.hpp"
#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/limits.hpp"

namespace scratchpage {

namespace {

constexpr timespan part_timeout = std::chrono::seconds{2};
constexpr timespan step_timeout = std::chrono::seconds{30};

/// No error if exactly one id is set and its text may be an id.
caf::error check_ids(const forget& x) {
  size_t set = 0;
  for (const auto& [field, id] : {std::pair{"observation_id", &x.observation_id},
         std::pair{"fact_id", &x.fact_id}, std::pair{"turn_id", &x.turn_id}}) {
    if (!*id)
      continue;
    auto most = id == &x.turn_id ? turn_id_limits::bytes : fact_request_limits::id_bytes;
    if ((*id)->empty() || (*id)->size() > most || !is_key_text(**id))
      return fail(errc::invalid_request, field, "expected 1 to " + std::to_string(most) + " bytes");
    ++set;
  }
  if (set != 1)
    return fail(errc::invalid_request, "observation_id",
      "expected exactly one of observation_id, fact_id and turn_id");
  return {};
}

} // namespace

struct memories_state::searching {
  search_memory request;
  caf::typed_response_promise<memory_hits> promise;
  memory_ranking ranking;
  timespan started{};
  work_mark works = {};
  uint32_t missing = 1; ///< parts that have not come yet
  bool partial = false;

  bool wants(memory_part x) const {
    return request.in.empty() || std::ranges::find(request.in, x) != request.in.end();
  }
};

struct memories_state::forgetting {
  forget request;
  caf::typed_response_promise<forgotten> promise;
  forgotten done;
  std::vector<std::string> contents; ///< of observations that were on the page
  uint32_t missing = 0;              ///< copies that are not purged yet
  bool has_ended = false;
  work_mark works;
};

memories_state::memories_state(handle::pointer self, const agent_context& agent,
  memories_sources sources, shared_settings<text_config> text)
  : self_{self},
    clock_{agent.clock},
    sources_{std::move(sources)},
    text_{std::move(text)},
    trace_{agent, name, static_cast<uint32_t>(component::memories)},
    work_{agent.work()} {}

memories_state::handle::behavior_type memories_state::make_behavior() {
  return {[this](search_memory& request) { return search(request); },
    [this](forget& request) { return remove(request); }};
}

// -- searching ------------------------------------------------------------------------

caf::error memories_state::check(const search_memory& request) const {
  if (auto err = check_query_text(request.query, "query"))
    return err;
  if (request.query.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(errc::invalid_request, "query", "expected words to look for");
  if (request.in.size() > enum_names<memory_part>.size())
    return fail(errc::invalid_request, "in", "expected at most 4 memories");
  if (auto err = check_limit(request.limit))
    return err;
  auto theirs = from_outside_.find(principal_key(request.by));
  if (in_flight_ >= search_limits::in_flight
      || (request.by.outside && theirs != from_outside_.end()
          && theirs->second >= search_limits::of_one))
    return fail(errc::overloaded, "", "expected fewer searches at the same time");
  return {};
}

caf::result<memory_hits> memories_state::search(search_memory& request) {
  if (auto err = check(request)) {
    trace_.write_error("search_memory", request.by, err);
    return err;
  }
  ++in_flight_;
  if (request.by.outside)
    ++from_outside_[principal_key(request.by)];
  auto job = std::make_shared<searching>(
    searching{std::move(request), self_->make_response_promise<memory_hits>(), memory_ranking{{}},
      clock_->steady(), work_.begin()});
  job->ranking = memory_ranking{job->request.query, text_};
  auto promise = job->promise;
  const auto& by = job->request.by;
  if (job->wants(memory_part::page)) {
    query_observations query;
    query.by = by;
    query.text = job->request.query;
    query.limit = search_limits::candidates;
    read<query_result>(
      job, "page", sources_.page, std::move(query), [](searching& to, const query_result& x) {
        to.partial = to.partial || x.partial;
        for (const auto& one : x.observations)
          to.ranking.add(memory_part::page, one);
      });
  }
  if (job->wants(memory_part::archive)) {
    list_archive query;
    query.by = by;
    query.limit = search_limits::archived;
    read<query_result>(
      job, "archive", sources_.page, std::move(query), [](searching& to, const query_result& x) {
        to.partial = to.partial || x.partial || !x.next_cursor.empty();
        for (const auto& one : x.observations)
          to.ranking.add(memory_part::archive, one);
      });
  }
  if (job->wants(memory_part::facts)) {
    query_facts query;
    query.by = by;
    query.text = job->request.query;
    query.limit = search_limits::candidates;
    read<fact_list>(
      job, "facts", sources_.facts, std::move(query), [](searching& to, const fact_list& x) {
        for (const auto& one : x.facts)
          to.ranking.add(one);
      });
  }
  if (job->wants(memory_part::episodes))
    read_episodes(job);
  if (--job->missing == 0)
    finish(*job);
  return promise;
}

/// One query for each of the longest words, because a query finds episodes that have all words.
void memories_state::read_episodes(const search_ptr& job) {
  for (const auto& word : job->ranking.key_words()) {
    query_episodes query;
    query.by = job->request.by;
    query.text = word;
    query.limit = search_limits::episodes;
    read<episode_list>(job, "episodes", sources_.episodes, std::move(query),
      [](searching& to, const episode_list& x) {
        for (const auto& one : x.episodes)
          to.ranking.add(one);
      });
  }
}

template <class Answer, class Handle, class Request, class Take>
void memories_state::read(
  const search_ptr& job, const char* part, const Handle& from, Request request, Take take) {
  if (!from)
    return;
  ++job->missing;
  auto is_in = [this, job] {
    if (--job->missing == 0)
      finish(*job);
  };
  auto failed = [this, job, part, is_in](const caf::error& err) {
    trace_.write_error("read_part", job->request.by, err, {{"part", part}});
    job->partial = true;
    is_in();
  };
  ask(self_, from, part_timeout, std::move(request))
    .then(
      [job, take, is_in](const Answer& x) {
        take(*job, x);
        is_in();
      },
      failed);
}

void memories_state::finish(searching& job) {
  const auto& by = job.request.by;
  --in_flight_;
  if (by.outside)
    if (auto theirs = from_outside_.find(principal_key(by)); --theirs->second == 0)
      from_outside_.erase(theirs);
  auto result = job.ranking.result(job.request.limit);
  result.partial = job.partial;
  trace_.write("search_memory", by, {{"found", result.total_count}}, "success", job.started);
  job.promise.deliver(std::move(result));
}

// -- forgetting -----------------------------------------------------------------------

caf::result<forgotten> memories_state::remove(forget& request) {
  auto err = check_ids(request);
  auto is_limited = request.by.outside && !is_owner(request.by);
  if (!err && is_limited && request.turn_id)
    err = fail(errc::forbidden, "turn_id", "expected the owner of the agent, a person");
  if (err) {
    trace_.write_error("forget", request.by, err);
    return err;
  }
  auto job = std::make_shared<forgetting>();
  job->request = std::move(request);
  job->promise = self_->make_response_promise<forgotten>();
  job->works = work_.begin();
  auto promise = job->promise;
  if (job->request.fact_id) {
    remove_fact(job);
  } else if (job->request.turn_id) {
    remove_turn(job);
  } else if (is_limited) {
    remove_own(job);
  } else {
    job->done.observation_ids = {*job->request.observation_id};
    archive(job, 0);
  }
  return promise;
}

/// Removes an observation for a caller that may forget only what it remembered itself.
void memories_state::remove_own(const forget_ptr& job) {
  const auto& id = *job->request.observation_id;
  ask(self_, sources_.page, step_timeout, get_observation{as_daemon(name), id})
    .then(
      [this, job, id](const observation_ptr& found) {
        if (!found)
          return end(job, fail(errc::not_found, "observation_id",
                            "there is no observation '" + id + "' on the page"));
        if (!may_forget(*found, job->request.by))
          return end(job, fail(errc::forbidden, "observation_id", only_own));
        job->done.observation_ids = {id};
        archive(job, 0);
      },
      [this, job](const caf::error& err) { end(job, err); });
}

/// SEMANTIC MEMORY checks whose the fact is.
void memories_state::remove_fact(const forget_ptr& job) {
  ask(self_, sources_.facts, step_timeout, job->request)
    .then(
      [this, job] {
        job->done.fact_ids = {*job->request.fact_id};
        end(job);
      },
      [this, job](const caf::error& err) { end(job, err); });
}

/// The observations of a turn go with it.
void memories_state::remove_turn(const forget_ptr& job) {
  query_episodes which;
  which.by = as_daemon(name);
  which.turn_id = *job->request.turn_id;
  which.limit = 1;
  ask(self_, sources_.episodes, step_timeout, std::move(which))
    .then(
      [this, job](const episode_list& found) {
        if (found.episodes.empty())
          return end(job, fail(errc::not_found, "turn_id",
                            "there is no turn '" + *job->request.turn_id + "' that has ended"));
        job->done.turn_ids = {*job->request.turn_id};
        for (const auto& one : found.episodes.front().observations)
          job->done.observation_ids.push_back(one->observation_id);
        archive(job, 0);
      },
      [this, job](const caf::error& err) { end(job, err); });
}

/// Takes the observations off the page, one after another, and then purges them. One that is not on
/// the page has left it already.
void memories_state::archive(const forget_ptr& job, size_t index) {
  if (index == job->done.observation_ids.size())
    return purge(job);
  const auto& id = job->done.observation_ids[index];
  auto next = [this, job, index] { archive(job, index + 1); };
  ask(self_, sources_.page, step_timeout, get_observation{as_daemon(name), id})
    .then(
      [this, job, id, next](const observation_ptr& found) {
        if (!found)
          return next();
        job->contents.push_back(found->content);
        ask(self_, sources_.page, step_timeout, archive_observation{as_daemon(name), id})
          .then(next, [this, job, next](const caf::error& err) {
            if (code_of(err) == errc::not_found) // it has expired meanwhile
              next();
            else
              end(job, err);
          });
      },
      [this, job](const caf::error& err) { end(job, err); });
}

void memories_state::purge(const forget_ptr& job) {
  if (!sources_.housekeeping)
    return purge_copies(job);
  ask(self_, sources_.housekeeping, caf::infinite,
    forget_observations{as_daemon(name), job->done.observation_ids})
    .then(
      [this, job](uint64_t found) {
        if (found == 0 && job->request.observation_id)
          return end(job, fail(errc::not_found, "observation_id",
                            "there is no observation '" + *job->request.observation_id + "'"));
        remove_episode(job);
      },
      [this, job](const caf::error& err) { end(job, err); });
}

void memories_state::purge_copies(const forget_ptr& job) {
  purge_observations what;
  what.by = as_daemon(name);
  what.observation_ids = job->done.observation_ids;
  what.contents = job->contents;
  job->missing = 4;
  purge_copy(job, sources_.page, what);
  purge_copy(job, sources_.goals, what);
  purge_copy(job, sources_.episodes, what);
  purge_copy(job, sources_.facts, what);
}

template <class Handle>
void memories_state::purge_copy(
  const forget_ptr& job, const Handle& who, const purge_observations& what) {
  ask(self_, who, step_timeout, what)
    .then(
      [this, job] {
        if (--job->missing == 0)
          remove_episode(job);
      },
      [this, job](const caf::error& err) { end(job, err); });
}

void memories_state::remove_episode(const forget_ptr& job) {
  if (!job->request.turn_id)
    return end(job);
  ask(self_, sources_.episodes, step_timeout, job->request)
    .then([this, job] { end(job); }, [this, job](const caf::error& err) { end(job, err); });
}

void memories_state::end(const forget_ptr& job, const caf::error& err) {
  if (std::exchange(job->has_ended, true))
    return;
  if (err) {
    trace_.write_error("forget", job->request.by, err);
    return job->promise.deliver(err);
  }
  trace_.write("forget", job->request.by,
    {{"observations", job->done.observation_ids.size()}, {"facts", job->done.fact_ids.size()},
      {"turns", job->done.turn_ids.size()}});
  job->promise.deliver(std::move(job->done));
}

} // namespace scratchpage
