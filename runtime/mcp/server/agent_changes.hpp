#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/server/agent_offers.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"
#include "scratchpage/runtime/mcp/server/polled_changes.hpp"

namespace scratchpage::mcp {

/// Tells of changes to an agent's resources: of its page and goals when they say so,
/// at most every tenth of a second; of scratchbooks and traces, which say nothing, by
/// looking at them while somebody wants to know. When the page has ended, as that of an
/// agent that another server has taken, or the page or the goals have no place for one more that
/// listens, everything is looked at.
class agent_changes : public change_feed, public std::enable_shared_from_this<agent_changes> {
public:
  static constexpr timespan between_batches = std::chrono::milliseconds{100};

  /// `run` makes operations of the same agent. Has to end before the system does.
  agent_changes(caf::actor_system& system, std::shared_ptr<strand> on, scratch_page_actor page,
    frontal_cortex_actor goals, run_operation run);
  agent_changes(const agent_changes&) = delete;
  agent_changes& operator=(const agent_changes&) = delete;
  ~agent_changes() override;

  std::shared_ptr<void> subscribe(const client& who, wanted_changes what, on_change then) override;

  /// Whether it is that page's.
  bool is_of(const scratch_page_actor& page) const { return page_ == page; }

private:
  class watcher;

  struct subscriber {
    client who;
    std::set<std::string> uris;
    on_change then;
    std::shared_ptr<void> looked_at; ///< for others
    std::shared_ptr<void> instead;   ///< of the page and the goals, which tell nothing
    std::shared_ptr<agent_changes> feed;
  };

  void watch();
  void look_instead();
  void forget_the_gone();
  std::vector<std::shared_ptr<subscriber>> subscribers();
  void tell(const std::set<std::string>& uris, bool all_observations);

  caf::actor_system& system_;
  std::shared_ptr<strand> on_;
  scratch_page_actor page_;
  frontal_cortex_actor goals_;
  std::shared_ptr<polled_changes> polled_;
  caf::actor watcher_;
  bool is_silent_ = false; ///< the page and the goals tell nothing
  std::vector<std::weak_ptr<subscriber>> subscribers_;
};

} // namespace scratchpage::mcp
