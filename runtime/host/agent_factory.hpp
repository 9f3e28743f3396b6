#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/expected.hpp>

#include "scratchpage/actors/page/page_memory.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/persistence/trace/trace_writer.hpp"
#include "scratchpage/runtime/api/history_reader.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/blocking_pool.hpp"
#include "scratchpage/runtime/host/hosted_setup.hpp"
#include "scratchpage/runtime/host/open_agent.hpp"
#include "scratchpage/runtime/host/resting_agents.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/runtime/models/model_metrics.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/telemetry/metrics.hpp"
#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"
#include "scratchpage/runtime/telemetry/work_metrics.hpp"

namespace scratchpage {

/// What the agents of a host share. References outlive the actor system.
struct host_parts {
  caf::actor_system& system;
  const scratchpage::storage& storage;
  const scratchpage::config& config;
  std::shared_ptr<const scratchpage::clock> clock;
  std::shared_ptr<blocking_pool> pool;
  std::shared_ptr<page_memory> pages;
  std::vector<journal_actor> journals;
  std::shared_ptr<telemetry::operation_metrics> metrics;
  std::shared_ptr<telemetry::work_metrics> work_metrics;
  std::shared_ptr<models::model_metrics> model_metrics;
  std::shared_ptr<telemetry::otlp_exporter> exporter; ///< null: spans are not exported
  /// Told, for operators, when it cannot be known whether a trace is complete.
  std::function<void(const std::string& agent_id, const std::string& problem)> doubt;
};

/// Makes the agents of a host from their storage. May be used from any thread.
class agent_factory {
public:
  explicit agent_factory(host_parts parts);

  /// Recovers an agent and spawns its ensemble, which may still have to handle what expired or was
  /// interrupted. Waits for the storage. Errors: those of `agent_host::open`.
  /// `asleep`: the agent is at rest, and goes on from there unless another process has taken it.
  opened_agent make(const std::string& id, open_mode what, const resting_agent* asleep = nullptr);

private:
  caf::error check_id(const std::string& id, open_mode what) const;
  caf::error check_is_there(const std::string& id) const;
  caf::error check_threads_for_programs() const;
  opened_agent recover(const std::string& id, const resting_agent* asleep);
  hosted_setup setup_of(const std::string& id, const open_agent& of) const;
  std::shared_ptr<trace_sink> sink_of(const std::shared_ptr<stored_trace>& trace) const;
  std::shared_ptr<stored_trace> begin_trace(const std::string& id, uint64_t epoch);
  std::shared_ptr<trace_writer> writer_of_traces(const std::string& id);
  operations_actor spawn_operations(const open_agent& of) const;

  host_parts parts_;
  std::shared_ptr<const config> config_; ///< kept by the agents, which may end later
  std::shared_ptr<const shared_policies> policies_;
  /// Reads of past pages, of all agents.
  std::shared_ptr<http::counter> history_reads_ =
    std::make_shared<http::counter>(history_limits::at_once);
  std::mutex guard_;                     // of what follows
  std::shared_ptr<trace_writer> writer_; // null until the first agent
};

} // namespace scratchpage
