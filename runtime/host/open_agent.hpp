#pragma once

#include <memory>
#include <string>

#include <caf/actor_cast.hpp>
#include <caf/expected.hpp>
#include <caf/send.hpp>

#include "scratchpage/actors/base/keepsakes.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/trace/stored_trace.hpp"
#include "scratchpage/runtime/host/end_signal.hpp"
#include "scratchpage/runtime/host/ensemble.hpp"

namespace scratchpage {

/// The handles of an agent of a host.
struct hosted_agent {
  std::string id;
  operations_actor operations;
  scratch_page_actor page;
  frontal_cortex_actor cortex;
  std::string damage; ///< the data that recovery had to discard, for people; "": none
  scratchbook_actor scratchbooks = {};
};

/// Whoever holds one uses the agent: it is not put to rest meanwhile.
using hosted_agent_ptr = std::shared_ptr<const hosted_agent>;

/// Everything that lives as long as an agent of a host is open. It does not wait when it ends.
struct open_agent {
  open_agent() = default;
  open_agent(const open_agent&) = delete;
  open_agent& operator=(const open_agent&) = delete;

  ~open_agent() {
    if (handles)
      caf::anon_send_exit(
        caf::actor_cast<caf::actor>(handles->operations), caf::exit_reason::user_shutdown);
  }

  std::shared_ptr<stored_trace> trace; ///< null if none is kept
  std::unique_ptr<ensemble> team;
  hosted_agent_ptr handles;
  ownership owner;
  std::shared_ptr<keepsakes> kept = std::make_shared<keepsakes>(); ///< of the ensemble
  /// Tells when all actors of the ensemble have ended.
  std::shared_ptr<end_signal> ended = std::make_shared<end_signal>();
  timespan since{};      ///< when it was opened (`clock::steady`)
  timespan last_used{};  ///< likewise, when it was last asked for
  std::string opened_by; ///< the key of the program that has opened it; "": not limited
};

using opened_agent = caf::expected<std::unique_ptr<open_agent>>;

/// Whether a data directory or an agent that does not exist is created.
enum class open_mode {
  create,
  existing, ///< it is an error, so that reading leaves nothing behind
};

} // namespace scratchpage
