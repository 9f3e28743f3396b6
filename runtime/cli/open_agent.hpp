#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/expected.hpp>
#include <caf/scoped_actor.hpp>

#include "scratchpage/messages/compat.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/cli/agent_options.hpp"
#include "scratchpage/runtime/cli/open_storage.hpp"
#include "scratchpage/runtime/ensemble.hpp"

namespace scratchpage {

/// One agent of a data directory with its whole ensemble, for as long as a
/// command runs; its end leaves everything durable. Answers are waited for.
class open_agent {
public:
  /// Recovers the agent and lets it come to rest: what expired meanwhile has
  /// ended, what was cut short is made up for. Errors: `storage_unavailable`,
  /// which says why or who uses the directory; `invalid_request`, which names the
  /// option; what recovery finds damaged.
  static caf::expected<std::unique_ptr<open_agent>> open(
    const agent_options& options, if_missing what);

  open_agent(const open_agent&) = delete;
  open_agent& operator=(const open_agent&) = delete;

  const ensemble& team() const { return *team_; }

  /// Where actors of the command's own may live. They end before this object does.
  caf::actor_system& system() { return system_; }

  /// What recovery had to cut off, for people; "": nothing.
  const std::string& damage() const { return damage_; }

  /// Asks `whom` and waits, at most a minute.
  template <class T, class Handle, class Request>
  caf::expected<T> request(const Handle& whom, Request x) {
    caf::expected<T> result{fail(errc::internal, "", "expected an answer")};
    ask(self_->ptr(), whom, patience, std::move(x))
      .receive([&](T& answer) { result = std::move(answer); },
        [&](const caf::error& err) { result = err; });
    return result;
  }

  /// Waits until the whole page is quiet: what follows from the changes so far
  /// is kept, too. Not longer than ten seconds: `deadline_exceeded`.
  caf::error settle();

private:
  static constexpr timespan patience = std::chrono::minutes{1};
  static constexpr timespan patience_for_rest = std::chrono::seconds{10};

  struct system_config : caf::actor_system_config {
    system_config();
  };

  open_agent(storage from, std::string agent_id);
  caf::error begin(const scratchpage::config& with);
  caf::error begin_trace(
    uint64_t epoch, std::shared_ptr<const clock> clock, const scratchpage::config& with);
  caf::error fold_if_due(const kept_agent& kept, const journal_config& with);
  caf::error await_team();

  storage storage_; // before the system: it is used until all actors have ended
  std::string agent_id_;
  std::string damage_;
  std::shared_ptr<trace_sink> trace_; // actors write to it until they have ended
  system_config cfg_;
  caf::actor_system system_;
  std::unique_ptr<ensemble> team_;
  std::unique_ptr<caf::scoped_actor> self_;
};

} // namespace scratchpage
