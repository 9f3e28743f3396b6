#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/actors/page/page_memory.hpp"
#include "scratchpage/actors/policies/built_in_policies.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/shared_settings.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/store/stored_numbers.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/execution/blocking_pool.hpp"
#include "scratchpage/runtime/host/ensemble_setup.hpp"
#include "scratchpage/runtime/models/model_access.hpp"

namespace scratchpage {

/// The stores of an agent, and what was recovered from them. If all members are null or empty, the
/// agent is not stored.
struct recovered_agent {
  std::shared_ptr<scratchpage::store> store;
  journal_actor journal; ///< of `store`
  ownership owner;
  std::shared_ptr<const recovered_page> page;
  std::shared_ptr<goal_store> goals;
  std::vector<goal> recovered_goals; ///< in the order in which they were made
  std::shared_ptr<episodic_store> episodes;
  std::shared_ptr<semantic_store> facts;
  std::shared_ptr<number_source> turn_numbers;
  std::shared_ptr<file_store> files;
  /// Runs the actors that call the stores; null if no call waits for a disk or a server.
  std::shared_ptr<blocking_pool> pool;
};

/// Claims an agent's history in a store and reads it; `journals` are those of that store, at least
/// one. With `goes_on`, the agent was at rest: its claim, which this process still has, goes on,
/// and the log of its page has the changes after `log_after`. Errors: those of the store, and
/// `internal` if the history is damaged.
caf::expected<recovered_agent> recover_agent(std::shared_ptr<store> from,
  const std::vector<journal_actor>& journals, const std::string& agent_id, const config& with,
  const ownership* goes_on = nullptr, uint64_t log_after = 0);

/// Advances the snapshot of an agent that was just recovered, if it is old. Journals do so when
/// they are idle, but a command ends before: without this, a history that only commands use would
/// take longer to read each time.
caf::error advance_snapshot_if_due(
  store& in, const recovered_agent& kept, const journal_config& with);

/// The setup of an ensemble in a host of agents. It has more than a program that embeds an ensemble
/// may choose.
struct hosted_setup : ensemble_setup {
  scratchpage::config config = default_config(); ///< used instead of `settings`
  /// The same, for agents that share it; null: the ensemble keeps copies of what it needs.
  std::shared_ptr<const scratchpage::config> shared_config = {};
  recovered_agent kept = {};                ///< by default the agent is not stored
  std::shared_ptr<page_memory> memory = {}; ///< shared by all pages of a host; null: no limit
  /// Of `config`, for agents that share it; null: the ensemble makes its own.
  std::shared_ptr<const shared_policies> shared = {};
  /// Makes the `traceparent` for a call of an MCP server; empty: there is none.
  std::function<std::string(const tool_request&)> traceparent = {};
  /// What the actors remember while the agent is at rest; null: it never rests.
  std::shared_ptr<keepsakes> rest = {};
  /// Whether daemons are spawned only when something is added that one of them wants. All daemons
  /// are here.
  bool daemons_begin_late = false;
  std::function<void()> on_ended = {}; ///< called when the ensemble's actors have ended
  bool allow_threads = true; ///< false on virtual time; then there are no MCP servers either
  /// Whether a program embeds the ensemble. Then the agent's id and the ids of the tools are
  /// checked, which others have done already, and the end of the ensemble waits for its actors,
  /// which others do with their system.
  bool is_embedded = false;
  models::model_access models = {}; ///< `complete` makes what is missing

  /// A section of the configuration.
  template <class T>
  shared_settings<T> settings_of(T scratchpage::config::*section) const {
    if (shared_config)
      return std::shared_ptr<const T>{shared_config, &((*shared_config).*section)};
    return config.*section;
  }
};

} // namespace scratchpage
