#pragma once

#include <memory>
#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/persistence/files/file_store.hpp"
#include "scratchpage/persistence/memories/episodic_store.hpp"
#include "scratchpage/persistence/memories/goal_store.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"
#include "scratchpage/persistence/store/number_source.hpp"
#include "scratchpage/persistence/store/recovery.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/runtime/config/config.hpp"

namespace scratchpage {

/// Where an ensemble keeps what it knows, and what was there when it began. All
/// of it null or empty: nothing outlives the process.
struct kept_agent {
  std::shared_ptr<scratchpage::store> store;
  journal_actor journal; ///< the store's
  ownership owner;
  std::shared_ptr<const recovered_page> page;
  std::shared_ptr<goal_store> goals;
  std::vector<goal> recovered_goals;
  std::shared_ptr<episodic_store> episodes;
  std::shared_ptr<semantic_store> facts;
  std::shared_ptr<number_source> turn_numbers;
  std::shared_ptr<file_store> files;
  bool blocks = false; ///< the stores wait for a disk or a server
};

/// Claims an agent's history in a store and reads what is there; `journal` is the
/// store's. Errors: those of the store, `internal` if it is damaged.
caf::expected<kept_agent> recover_agent(std::shared_ptr<store> from, journal_actor journal,
  const std::string& agent_id, const config& with);

} // namespace scratchpage
