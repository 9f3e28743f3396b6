#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/store/claim_list.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"
#include "scratchpage/runtime/host/host_event.hpp"
#include "scratchpage/runtime/host/if_missing.hpp"
#include "scratchpage/runtime/host/memory_plan.hpp"
#include "scratchpage/runtime/host/memory_watch.hpp"
#include "scratchpage/runtime/host/storage.hpp"
#include "scratchpage/runtime/net/http/answer_budget.hpp"
#include "scratchpage/runtime/telemetry/operation_metrics.hpp"
#include "scratchpage/runtime/telemetry/otlp_exporter.hpp"

namespace scratchpage {

/// An agent of a host: whom to ask.
struct hosted_agent {
  std::string id;
  operations_actor operations;
  scratch_page_actor page;
  frontal_cortex_actor cortex;
  uint64_t daemons = 0; ///< that subscribe to the page
  std::string damage;   ///< what recovery had to cut off, for people; "": nothing
};

using hosted_agent_ptr = std::shared_ptr<const hosted_agent>;

/// The agents of one storage with their ensembles, in one process. An agent is
/// recovered when it is first asked for. The end of a host leaves everything durable.
/// All of it may be called from any thread.
class agent_host {
public:
  /// At most so many agents at once, or fewer if there is less memory (`memory_plan`) or there are
  /// few file descriptors (`http::descriptor_plan`); one more is `overloaded`.
  static constexpr size_t most_agents = 256;

  /// Bytes of the id of a new agent.
  static constexpr size_t most_id_bytes = 1'024;

  agent_host(storage in, config with, on_host_event listener = {});
  agent_host(const agent_host&) = delete;
  agent_host& operator=(const agent_host&) = delete;
  ~agent_host();

  /// Where actors that work for the host may live. They have to end before it does.
  caf::actor_system& system() { return system_; }

  /// `storage_unavailable` about `agent` while an agent that another server has taken is not
  /// claimed again: a change to it would be refused.
  caf::error check_claims() const;

  /// `overloaded` about `memory` while the process has more than `memory.max_bytes`.
  caf::error check_memory() const { return memory_.check(); }

  /// What makes their changes durable.
  const journal_actor& journal() const { return journal_; }

  /// What every agent is configured by, whose bounds fit into memory.
  const config& with() const { return config_; }

  /// Where histories are kept.
  store& histories() { return *storage_.store; }

  /// One that was opened before, or null; never waits.
  hosted_agent_ptr find(std::string_view id) const;

  /// Those that are open, by id.
  std::vector<hosted_agent_ptr> agents() const;

  /// What answers are held to, by all that serve its agents.
  const std::shared_ptr<http::answer_budget>& answers() const { return answers_; }

  /// What it counts itself: the operations of all of them, the spans it exports.
  void write_metrics(telemetry::metrics_text& to) const;

  /// Recovers the agent, if it is not open, and lets it come to rest: what expired
  /// meanwhile has ended, what was cut short is made up for. Waits, up to a minute.
  /// Errors: `invalid_request` and `not_found` on `agent`, `overloaded` (also if the system has
  /// no more threads for one),
  /// `storage_unavailable`; what recovery finds damaged. `by` is for whom somebody outside asks:
  /// no program may have opened more than three quarters of the agents (`overloaded` on `agent`).
  caf::expected<hosted_agent_ptr> open(
    const std::string& id, if_missing what, const caller* by = nullptr);

  /// Waits until every page is quiet: what follows from the changes so far is kept,
  /// too. Not longer than that: `deadline_exceeded`.
  caf::error settle(timespan within = std::chrono::seconds{10});

private:
  struct member;

  struct system_config : caf::actor_system_config {
    system_config();
  };

  /// An agent that was taken from this host.
  struct loss {
    timespan until{}; ///< it is not claimed again before, on the clock that nobody sets
    timespan pause{}; ///< that it took
  };

  void lose(const ownership& by, const caf::error& why);
  void end_elsewhere(std::unique_ptr<member> x);
  void note_loss(const std::string& id, const member& of);
  caf::error check_may_claim(const std::string& id) const;
  caf::error check_pause(const loss& x) const;
  size_t open_agents() const;
  caf::error check_share(const caller& by) const;
  caf::error check_id(const std::string& id) const;
  caf::error check_is_there(const std::string& id) const;
  caf::error check(const std::string& id, if_missing what, const caller* by) const;
  caf::expected<std::unique_ptr<member>> try_to_begin(const std::string& id);
  caf::expected<std::unique_ptr<member>> begin(const std::string& id);
  void tell(const host_event& x) const;
  std::shared_ptr<trace_sink> sink_of(const std::shared_ptr<kept_trace>& trace) const;
  caf::expected<std::shared_ptr<kept_trace>> begin_trace(const std::string& id, uint64_t epoch);
  caf::error fold_if_due(const kept_agent& kept) const;
  caf::error await_team(const ensemble& team);
  caf::error await_rest(const scratch_page_actor& page, timespan within);

  on_host_event listener_; // actors tell it something until they have ended
  storage storage_;        // before the system: it is used until all actors have ended
  memory_watch memory_;
  config config_;
  memory_plan plan_;
  size_t most_here_;                   ///< agents at once
  std::shared_ptr<page_memory> pages_; // of all members
  std::shared_ptr<const clock> clock_;
  std::shared_ptr<claim_list> claims_; // of the members
  std::shared_ptr<http::answer_budget> answers_;
  mutable std::mutex guard_; // before the system: the journal tells of losses until it has ended
  std::map<std::string, std::unique_ptr<member>, std::less<>> members_;
  std::map<std::string, loss, std::less<>> lost_; // lately
  std::vector<std::unique_ptr<member>> to_end_;   // there was no thread to end them on
  system_config cfg_;
  std::shared_ptr<telemetry::operation_metrics> metrics_;
  std::shared_ptr<telemetry::otlp_exporter> exporter_; // null: nothing is exported
  caf::actor_system system_;
  journal_actor journal_;
  std::mutex opening_; // one agent is opened at a time
};

} // namespace scratchpage
