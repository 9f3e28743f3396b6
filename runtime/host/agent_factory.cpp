#include "scratchpage/runtime/host/agent_factory.hpp"

#include <system_error>
#include <utility>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/threads.hpp"
#include "scratchpage/runtime/api/operations.hpp"
#include "scratchpage/runtime/host/agent_host.hpp"
#include "scratchpage/runtime/host/ensemble_members.hpp"

namespace scratchpage {

namespace {

constexpr size_t threads_of_tool_server = 4;
/// Threads that agents which are open may still have to start, such as those of tools.
constexpr size_t threads_for_others = 8;

caf::error no_more_threads() {
  return fail(errc::overloaded, "agent",
    "expected fewer agents at once: the system has no more threads for this process");
}

} // namespace

agent_factory::agent_factory(host_parts parts)
  : parts_{std::move(parts)},
    config_{std::make_shared<const config>(parts_.config)},
    policies_{shared_policies_of(*config_)} {}

opened_agent agent_factory::make(
  const std::string& id, open_mode what, const resting_agent* asleep) {
  if (asleep == nullptr)
    if (auto err = check_id(id, what))
      return err;
  if (auto err = check_threads_for_programs())
    return err;
  try {
    return recover(id, asleep);
  } catch (const std::system_error&) { // everything that was started ends again
    return no_more_threads();
  }
}

/// An existing agent is opened even if new agents may not have its id.
caf::error agent_factory::check_id(const std::string& id, open_mode what) const {
  auto err = agent_host::check_new_id(id, "agent");
  if (what == open_mode::create && !err)
    return {};
  auto missing = check_is_there(id);
  return missing && err ? err : missing;
}

caf::error agent_factory::check_is_there(const std::string& id) const {
  auto found = parts_.storage.store->find_agent(id);
  if (!found)
    return found.error();
  return *found
           ? caf::error{}
           : fail(errc::not_found, "agent", "expected an agent that is there, got '" + id + "'");
}

/// Checks that there are threads for the programs of MCP servers before anything is started.
caf::error agent_factory::check_threads_for_programs() const {
  auto programs = parts_.config.mcp_servers.size();
  if (programs == 0)
    return {};
  return check_threads(programs * threads_of_tool_server + threads_for_others) ? no_more_threads()
                                                                               : caf::error{};
}

opened_agent agent_factory::recover(const std::string& id, const resting_agent* asleep) {
  const auto& in = parts_.storage;
  auto goes_on = asleep == nullptr ? caf::expected<bool>{false} : in.store->holds(asleep->owner);
  if (!goes_on)
    return goes_on.error();
  auto kept = *goes_on ? recover_agent(
                in.store, parts_.journals, id, parts_.config, &asleep->owner, asleep->log_after)
                       : recover_agent(in.store, parts_.journals, id, parts_.config);
  if (!kept)
    return kept.error();
  kept->files = in.files_of(id, kept->owner);
  kept->pool = parts_.pool;
  if (auto err = advance_snapshot_if_due(*in.store, *kept, parts_.config.journal))
    return err;
  auto result = std::make_unique<open_agent>();
  result->trace = begin_trace(id, kept->owner.epoch);
  result->owner = kept->owner;
  if (*goes_on) {
    result->kept = asleep->kept;
    result->kept->note_waking(kept->page->sequence);
  }
  auto damage = kept->page->damage;
  auto setup = setup_of(id, *result);
  setup.kept = std::move(*kept);
  if (auto err =
        models::complete(setup.models, parts_.config.models, models::variables_of_process()))
    return err;
  result->team = std::make_unique<ensemble>(parts_.system, std::move(setup));
  const auto& team = *result->team;
  result->handles = std::make_shared<const hosted_agent>(hosted_agent{id, spawn_operations(*result),
    team.page(), team.cortex(), std::move(damage), team.scratchbooks()});
  return result;
}

hosted_setup agent_factory::setup_of(const std::string& id, const open_agent& of) const {
  hosted_setup result;
  result.trace = sink_of(of.trace);
  result.rest = of.kept;
  result.on_ended = [ended = of.ended] { ended->set(); };
  result.agent_id = id;
  result.config = *config_;
  result.shared_config = config_;
  result.daemons_begin_late = true;
  result.clock = parts_.clock;
  result.memory = parts_.pages;
  result.shared = policies_;
  result.models.metrics = parts_.model_metrics;
  if (auto exporter = parts_.exporter) {
    result.traceparent = [exporter, id](const tool_request& x) {
      auto turn_id = x.request_id.substr(0, x.request_id.find('/')); // of TURN/CALL
      return x.cause ? exporter->traceparent_of(id, turn_id, *x.cause) : std::string{};
    };
    result.models.traceparent = [exporter, id](const std::string& turn_id, span_id cause) {
      return exporter->traceparent_of(id, turn_id, cause);
    };
  }
  return result;
}

operations_actor agent_factory::spawn_operations(const open_agent& of) const {
  const auto& team = *of.team;
  auto& system = parts_.system;
  history_access history{of.owner.agent, [&in = parts_.storage] { return in.open_consistent(); },
    history_reads_, parts_.clock};
  operations_parts result{team.page(), team.cortex(), team.turns(), team.working_memory(),
    team.scratchbooks(), team.facts(), team.episodes(), team.memories()};
  if (of.trace)
    result.read_trace = [&system, pool = parts_.pool, trace = of.trace] {
      return spawn_pooled<trace_reader_state>(pool, system, trace);
    };
  result.read_history = [&system, pool = parts_.pool, history] {
    return spawn_pooled<history_reader_state>(pool, system, history);
  };
  result.metrics = parts_.metrics;
  result.work = of.kept->work();
  return spawn<operations_state>(system, std::move(result));
}

std::shared_ptr<trace_sink> agent_factory::sink_of(
  const std::shared_ptr<stored_trace>& trace) const {
  std::shared_ptr<trace_sink> kept = trace;
  if (parts_.exporter)
    kept = std::make_shared<telemetry::exporting_trace>(trace, parts_.exporter);
  return std::make_shared<telemetry::counting_trace>(std::move(kept), parts_.work_metrics);
}

/// Null if no trace is kept, or if its store cannot be opened: an agent works without a trace.
std::shared_ptr<stored_trace> agent_factory::begin_trace(const std::string& id, uint64_t epoch) {
  if (!parts_.config.trace.keep)
    return nullptr;
  auto writer = writer_of_traces(id);
  if (!writer)
    return nullptr;
  return std::make_shared<stored_trace>(
    std::move(writer), id, epoch, parts_.clock, trace_as_private(parts_.config));
}

/// The writer of all traces, which the first agent opens. `id`: the agent that needs it.
std::shared_ptr<trace_writer> agent_factory::writer_of_traces(const std::string& id) {
  std::lock_guard lock{guard_};
  if (writer_)
    return writer_;
  auto opened = parts_.storage.open_trace();
  auto doubt = opened ? (*opened)->doubt() : "no trace is kept: " + describe(opened.error());
  if (!doubt.empty())
    parts_.doubt(id, doubt);
  if (opened)
    writer_ = std::make_shared<trace_writer>(std::move(*opened));
  return writer_;
}

} // namespace scratchpage
