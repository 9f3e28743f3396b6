#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/actor_system.hpp>

#include "scratchpage/actors/base/daemon.hpp"
#include "scratchpage/actors/policies/built_in_policies.hpp"
#include "scratchpage/actors/policies/policies.hpp"
#include "scratchpage/messages/handles.hpp"
#include "scratchpage/messages/query.hpp"
#include "scratchpage/persistence/privacy/pii_masker.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/runtime/host/roster.hpp"
#include "scratchpage/runtime/models/model_access.hpp"

namespace scratchpage {

/// What the daemons of an ensemble are made of.
struct daemon_parts {
  caf::actor_system* system; ///< outlives the daemons
  std::shared_ptr<roster> members;
  daemon_setup each;
  toolbox_actor tools;
  consciousness_actor consciousness;
  semantic_memory_actor facts;
  std::shared_ptr<const config> with;
  std::shared_ptr<const shared_policies> shared;
  policy_factories policies;                 ///< of the program
  models::model_access models;               ///< whom daemons ask
  std::shared_ptr<const pii_masker> exports; ///< masks what models are told; null: it is not masked
  bool has_threads;                          ///< whether actors may have threads of their own
  std::vector<std::string> without;          ///< daemons that are left out
  std::vector<std::string> elsewhere;        ///< daemons in another process
};

/// In the keepsakes of an agent whose daemons have begun: they are there after a rest, too.
struct begun_team {};

/// Spawns the daemons of an ensemble.
class team_spawner {
public:
  explicit team_spawner(daemon_parts parts)
    : parts_{std::move(parts)} {}

  /// Spawns the daemons, which join the roster. Throws what a factory of a policy throws.
  void spawn_team() { spawn_after({}, {}); }

  /// As `spawn_team`, for daemons that begin after the change with this sequence. Each daemon calls
  /// `on_subscribed` on its thread. Returns how many were spawned here.
  size_t spawn_after(std::optional<uint64_t> sequence, std::function<void()> on_subscribed);

  /// The filters that select the events of all daemons.
  std::vector<observation_filter> wanted() const;

  const daemon_parts& parts() const { return parts_; }

private:
  bool is_here(std::string_view daemon);
  policy_factories policies();
  void spawn_deciding(const daemon_setup& each);
  void spawn_others(const daemon_setup& each);

  template <class State, class... Ts>
  void spawn_one(Ts&&... xs);

  daemon_parts parts_;
  size_t spawned_ = 0;
};

} // namespace scratchpage
