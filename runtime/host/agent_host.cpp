#include "scratchpage/runtime/host/agent_host.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/api/history_reader.hpp"
#include "scratchpage/runtime/api/operation_list.hpp"
#include "scratchpage/runtime/api/operations.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/execution/job_queue.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"
#include "scratchpage/runtime/net/http/server_config.hpp"
#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"

namespace scratchpage {

namespace {

constexpr timespan ready_timeout = std::chrono::minutes{1};
constexpr timespan settle_timeout = std::chrono::seconds{10};

// If two servers take an agent from each other, each waits longer each time.
constexpr timespan first_start_pause = std::chrono::seconds{1};
constexpr timespan longest_start_pause = std::chrono::minutes{1};
constexpr timespan held_for_long = std::chrono::minutes{10};
/// For its trace, archive, files, goals, episodes, facts, turns, housekeeping, and for reading its
/// trace and its past.
constexpr size_t threads_of_agent = 11;
constexpr size_t threads_of_tool_server = 4;
/// Threads that agents which are open may still have to start.
constexpr size_t threads_for_others = 22;

/// Three for the files of its trace, and one for a file that is open for a moment.
constexpr uint64_t descriptors_of_agent = 4;
/// For its pipes, and for waiting until it ends.
constexpr uint64_t descriptors_of_tool_server = 5;

http::descriptor_plan descriptors_for(const config& x) {
  auto programs = x.mcp_servers.size() * descriptors_of_tool_server;
  return http::descriptor_plan::of(
    http::descriptor_limit(), descriptors_of_agent + programs, agent_host::max_agents);
}

/// Reduces the number of connections to what the descriptors allow.
config fitted_to_descriptors(config x) {
  x.http = http::with_connections(std::move(x.http), descriptors_for(x).connections);
  return x;
}

/// The key under which the agents that a caller opens are counted: all programs without a token
/// have one key. "": a person or an admin, who is not limited.
std::string program_of(const caller& by) {
  if (by.claimed)
    return "claimed";
  if (is_person(by) || by.role == role::admin)
    return {};
  return std::string{name_of(by.kind)}.append(" ").append(by.name);
}

caf::error no_more_threads() {
  return fail(errc::overloaded, "agent",
    "expected fewer agents at once: the system has no more threads for this process");
}

/// Spawns an actor on a thread of its own; null if there is no thread.
template <class State, class... Ts>
operations_actor spawn_reader(caf::actor_system& system, const Ts&... xs) {
  try {
    return spawn_detached<State>(system, xs...);
  } catch (const std::system_error&) {
    return {};
  }
}

operations_parts parts_of(caf::actor_system& system, const ensemble& team,
  const std::shared_ptr<stored_trace>& trace, const history_access& history) {
  operations_parts result{team.page(), team.cortex(), team.turns(), team.working_memory(),
    team.scratchbooks(), team.facts(), team.episodes(), team.memories()};
  if (trace)
    result.read_trace = [&system, trace] {
      return spawn_reader<trace_reader_state>(system, trace);
    };
  result.read_history = [&system, history] {
    return spawn_reader<history_reader_state>(system, history);
  };
  return result;
}

std::shared_ptr<telemetry::otlp_exporter> make_exporter(const telemetry::telemetry_config& with) {
  if (with.otlp_endpoint.empty())
    return nullptr;
  std::array<unsigned char, sizeof(uint64_t)> random{}; // trace ids have to be unique
  auth::fill_random(random);
  return std::make_shared<telemetry::otlp_exporter>(with, std::bit_cast<uint64_t>(random));
}

} // namespace

/// Everything that lives as long as an agent is open.
struct agent_host::member {
  std::shared_ptr<stored_trace> trace; // actors write to it until they have ended
  std::unique_ptr<ensemble> team;
  hosted_agent_ptr handles;
  ownership owner;
  timespan since{};      ///< when it was opened (`clock::steady`)
  std::string opened_by; ///< the key of `program_of`; "": not limited

  ~member() {
    if (handles)
      caf::anon_send_exit(
        caf::actor_cast<caf::actor>(handles->operations), caf::exit_reason::user_shutdown);
  }
};

agent_host::system_config::system_config() {
  use_shared_queue(*this);
}

agent_host::agent_host(storage in, config with, on_host_event listener)
  : listener_{std::move(listener)},
    storage_{std::move(in)},
    memory_{max_memory(with.memory), resident_memory},
    config_{fitted_to_descriptors(memory_plan::fitted(std::move(with), memory_.max()))},
    plan_{memory_plan::of(memory_.max(), config_.mcp_servers.size())},
    max_open_{std::min<size_t>(plan_.agents, descriptors_for(config_).agents)},
    pages_{std::make_shared<page_memory>(plan_.pages_bytes)},
    clock_{std::make_shared<wall_clock>()},
    claims_{std::make_shared<claim_list>()},
    answers_{std::make_shared<http::answer_budget>(config_.http)},
    metrics_{std::make_shared<telemetry::operation_metrics>(operation_names())},
    exporter_{make_exporter(config_.telemetry)},
    system_{cfg_},
    journal_{storage_.spawn_journal(system_, clock_, config_,
      [this](const journal_stats& x) {
        auto fails = x.failures > 0;
        tell({.kind = fails ? host_event_kind::storage_failed : host_event_kind::storage_works,
          .problem = x.last_failure});
      },
      {claims_, [this](const ownership& by, const caf::error& why) { lose(by, why); }})} {
  if (!storage_.doubt.empty())
    tell({.kind = host_event_kind::storage_doubtful, .problem = storage_.doubt});
}

/// The journal may still report losses; it finds no members then.
agent_host::~agent_host() {
  decltype(members_) last;
  decltype(to_end_) to_end;
  {
    std::lock_guard lock{guard_};
    last.swap(members_);
    to_end.swap(to_end_);
  }
}

hosted_agent_ptr agent_host::find(std::string_view id) const {
  std::lock_guard lock{guard_};
  auto found = members_.find(id);
  if (found == members_.end())
    return nullptr;
  return found->second->handles;
}

std::vector<hosted_agent_ptr> agent_host::agents() const {
  std::lock_guard lock{guard_};
  std::vector<hosted_agent_ptr> result;
  result.reserve(members_.size());
  for (const auto& [id, x] : members_)
    result.push_back(x->handles);
  return result;
}

caf::expected<hosted_agent_ptr> agent_host::open(
  const std::string& id, open_mode what, const caller* by) {
  std::lock_guard one_at_a_time{opening_};
  if (auto open = find(id))
    return open;
  if (auto err = check_may_claim(id))
    return err;
  if (auto err = check(id, what, by))
    return err;
  auto begun_at = clock_->steady();
  auto opened = try_to_begin(id);
  auto took = clock_->steady() - begun_at;
  if (!opened) {
    tell({host_event_kind::agent_not_opened, id, took, describe(opened.error())});
    return opened.error();
  }
  (*opened)->opened_by = by == nullptr ? "" : program_of(*by);
  auto result = (*opened)->handles;
  tell({host_event_kind::agent_opened, id, took, result->damage});
  std::lock_guard lock{guard_};
  claims_->add((*opened)->owner);
  members_.emplace(id, std::move(*opened));
  return result;
}

/// Closes an agent that another process has taken: its answers would be out of date. Called on the
/// journal's thread, which must not wait for the agent's end.
void agent_host::lose(const ownership& by, const caf::error& why) {
  std::unique_ptr<member> ended;
  std::string id;
  {
    std::lock_guard lock{guard_};
    auto is_it = [&](const auto& x) { return x.second->owner == by; };
    auto found = std::find_if(members_.begin(), members_.end(), is_it);
    if (found == members_.end())
      return;
    id = found->first;
    note_loss(id, *found->second);
    ended = std::move(found->second);
    members_.erase(found);
  }
  claims_->remove(ended->owner);
  tell({.kind = host_event_kind::agent_lost, .agent_id = id, .problem = describe(why)});
  end_elsewhere(std::move(ended));
}

/// Ends a member on a thread of its own. While the system has no thread, the member waits for the
/// next one that ends, or for the end of the host.
void agent_host::end_elsewhere(std::unique_ptr<member> x) {
  auto last = std::make_shared<std::vector<std::unique_ptr<member>>>();
  {
    std::lock_guard lock{guard_};
    to_end_.push_back(std::move(x));
    if (check_threads(1))
      return;
    last->swap(to_end_);
  }
  system_.spawn<caf::detached>([last](caf::event_based_actor*) { last->clear(); });
}

/// Call it with the lock held.
void agent_host::note_loss(const std::string& id, const member& of) {
  auto now = clock_->steady();
  std::erase_if(lost_, [&](const auto& x) { return now - x.second.until > held_for_long; });
  auto& x = lost_[id];
  auto is_first = x.pause == timespan{} || now - of.since > held_for_long;
  x.pause = is_first ? first_start_pause : std::min(2 * x.pause, longest_start_pause);
  x.until = now + x.pause;
}

caf::error agent_host::check_may_claim(const std::string& id) const {
  std::lock_guard lock{guard_};
  auto found = lost_.find(id);
  return found == lost_.end() ? caf::error{} : check_pause(found->second);
}

caf::error agent_host::check_claims() const {
  std::lock_guard lock{guard_};
  for (const auto& [id, x] : lost_)
    if (auto err = check_pause(x))
      return err;
  return {};
}

caf::error agent_host::check_pause(const loss& x) const {
  auto left = x.until - clock_->steady();
  if (left <= timespan{})
    return {};
  auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return fail(errc::storage_unavailable, "agent",
    "expected an agent of this server, but another one has taken it; this one takes it back when "
    "it is asked in "
      + std::to_string(ms) + " ms");
}

size_t agent_host::open_agents() const {
  std::lock_guard lock{guard_};
  return members_.size();
}

/// Leaves a quarter of the possible agents to the callers other than one program.
caf::error agent_host::check_share(const caller& by) const {
  auto program = program_of(by);
  if (program.empty())
    return {};
  auto max = max_open_ - max_open_ / 4;
  auto is_theirs = [&](const auto& x) { return x.second->opened_by == program; };
  std::lock_guard lock{guard_};
  auto open = std::count_if(members_.begin(), members_.end(), is_theirs);
  if (static_cast<size_t>(open) < max)
    return {};
  return fail(errc::overloaded, "agent",
    "expected at most " + std::to_string(max) + " agents at once that " + principal_of(by)
      + " has opened");
}

caf::error agent_host::check_new_id(const std::string& id, std::string_view field) {
  if (id.empty() || !utf8::is_valid(id))
    return fail(errc::invalid_request, field, "expected an agent's id, in UTF-8");
  if (id.size() > max_id_bytes)
    return fail(errc::invalid_request, field,
      "expected an agent's id of at most " + std::to_string(max_id_bytes) + " bytes");
  if (!is_key_text(id))
    return fail(errc::invalid_request, field, "expected an agent's id without U+0000");
  return {};
}

/// Checks the id of an agent. An existing agent is opened even if new agents may not have its id.
caf::error agent_host::check_id(const std::string& id) const {
  auto err = check_new_id(id, "agent");
  auto may_exist = err && !id.empty() && utf8::is_valid(id);
  return may_exist && !check_is_there(id) ? caf::error{} : err;
}

caf::error agent_host::check_is_there(const std::string& id) const {
  auto found = storage_.store->find_agent(id);
  if (!found)
    return found.error();
  return *found
           ? caf::error{}
           : fail(errc::not_found, "agent", "expected an agent that is there, got '" + id + "'");
}

caf::error agent_host::check(const std::string& id, open_mode what, const caller* by) const {
  if (auto err = check_id(id))
    return err;
  if (open_agents() >= max_open_)
    return fail(errc::overloaded, "agent",
      "expected at most " + std::to_string(max_open_) + " agents at once");
  if (auto err = memory_.check())
    return err;
  if (what == open_mode::existing)
    if (auto err = check_is_there(id))
      return err;
  return by == nullptr ? caf::error{} : check_share(*by);
}

/// Checks that there are enough threads before anything is started. If a thread cannot be started
/// nevertheless, everything that was started ends again.
caf::expected<std::unique_ptr<agent_host::member>> agent_host::try_to_begin(const std::string& id) {
  auto programs = config_.mcp_servers.size() * threads_of_tool_server;
  if (check_threads(threads_of_agent + programs + threads_for_others))
    return no_more_threads();
  try {
    return begin(id);
  } catch (const std::system_error&) {
    return no_more_threads();
  }
}

caf::expected<std::unique_ptr<agent_host::member>> agent_host::begin(const std::string& id) {
  auto kept = recover_agent(storage_.store, journal_, id, config_);
  if (!kept)
    return kept.error();
  kept->files = storage_.files_of(id, kept->owner);
  if (auto err = advance_snapshot_if_due(*storage_.store, *kept, config_.journal))
    return err;
  auto trace = begin_trace(id, kept->owner.epoch);
  if (!trace)
    return trace.error();
  auto result = std::make_unique<member>();
  result->trace = *trace;
  result->owner = kept->owner;
  result->since = clock_->steady();
  auto damage = kept->page->damage;
  hosted_setup setup;
  setup.trace = sink_of(*trace);
  if (exporter_)
    setup.traceparent = [exporter = exporter_, id](const tool_request& x) {
      auto turn_id = x.request_id.substr(0, x.request_id.find('/')); // of TURN/CALL
      return x.cause ? exporter->traceparent_of(id, turn_id, *x.cause) : std::string{};
    };
  setup.agent_id = id;
  setup.config = config_;
  setup.clock = clock_;
  setup.memory = pages_;
  setup.kept = std::move(*kept);
  setup.models.metrics = model_metrics_;
  if (exporter_)
    setup.models.traceparent = [exporter = exporter_, id](
                                 const std::string& turn_id, span_id cause) {
      return exporter->traceparent_of(id, turn_id, cause);
    };
  if (auto err = models::complete(setup.models, config_.models, models::variables_of_process()))
    return err;
  result->team = std::make_unique<ensemble>(system_, std::move(setup));
  const auto& team = *result->team;
  if (auto err = team.ready(ready_timeout))
    return err;
  std::ignore = await_rest(team.page(), settle_timeout); // unfinished work continues later
  history_access history{
    result->owner.agent, [this] { return storage_.open_consistent(); }, history_reads_, clock_};
  auto parts = parts_of(system_, team, result->trace, history);
  parts.metrics = metrics_;
  result->handles = std::make_shared<const hosted_agent>(
    hosted_agent{id, spawn<operations_state>(system_, std::move(parts)), team.page(), team.cortex(),
      team.subscribers(), std::move(damage), team.scratchbooks()});
  return result;
}

void agent_host::tell(const host_event& x) const {
  if (listener_)
    listener_(x);
}

void agent_host::write_metrics(telemetry::metrics_text& to) const {
  metrics_->write(to);
  work_metrics_->write(to);
  model_metrics_->write(to);
  if (exporter_)
    exporter_->write_metrics(to);
}

std::shared_ptr<trace_sink> agent_host::sink_of(const std::shared_ptr<stored_trace>& trace) const {
  std::shared_ptr<trace_sink> kept = trace;
  if (exporter_)
    kept = std::make_shared<telemetry::exporting_trace>(trace, exporter_);
  return std::make_shared<telemetry::counting_trace>(std::move(kept), work_metrics_);
}

caf::expected<std::shared_ptr<stored_trace>> agent_host::begin_trace(
  const std::string& id, uint64_t epoch) {
  if (!config_.trace.keep)
    return std::shared_ptr<stored_trace>{};
  auto opened = storage_.open_trace();
  auto doubt = opened ? (*opened)->doubt() : "no trace is kept: " + describe(opened.error());
  if (!doubt.empty())
    tell({.kind = host_event_kind::storage_doubtful, .agent_id = id, .problem = doubt});
  if (!opened) // the agent is opened without a trace
    return std::shared_ptr<stored_trace>{};
  return std::make_shared<stored_trace>(
    std::move(*opened), id, epoch, clock_, trace_as_private(config_));
}

caf::error agent_host::await_rest(const scratch_page_actor& page, timespan within) {
  caf::scoped_actor self{system_};
  caf::error result;
  ask(self.ptr(), page, within, await_quiet{as_daemon("command"), quiet_stage::ended})
    .receive([] {}, [&](const caf::error& err) { result = err; });
  if (result == caf::sec::request_timeout)
    return fail(errc::deadline_exceeded, "", "expected the daemons to be done in time");
  return result;
}

caf::error agent_host::settle(timespan within) {
  std::vector<scratch_page_actor> pages;
  {
    std::lock_guard lock{guard_};
    pages.reserve(members_.size());
    for (const auto& [id, agent] : members_)
      pages.push_back(agent->handles->page);
  }
  auto until = clock_->steady() + within;
  caf::error result;
  for (const auto& page : pages)
    if (auto err = await_rest(page, std::max<timespan>(until - clock_->steady(), timespan{1})))
      result = err;
  return result;
}

} // namespace scratchpage
