#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include "scratchpage/messages/handles.hpp"
#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/server/agent_provider.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"

namespace scratchpage::mcp {

/// Reports changes to an agent's resources by polling those that have subscribers, about twice a
/// second. For resources that report nothing themselves, and for an agent in another process, which
/// may be replaced by yet another one.
class polled_changes : public change_feed, public std::enable_shared_from_this<polled_changes> {
public:
  static constexpr timespan between_looks = std::chrono::milliseconds{500};

  polled_changes(std::shared_ptr<strand> on, perform_operation perform);

  std::shared_ptr<void> subscribe(
    const principal& who, wanted_changes what, on_change then) override;

private:
  using client_ptr = std::shared_ptr<const principal>; // shared by all resources of a client

  struct subscriber {
    client_ptr who;
    wanted_changes what;
    on_change then;
  };

  /// A resource, as clients with that agent and that thread see it.
  struct place {
    std::string agent_id;
    std::string thread_id;
    std::string uri;

    auto operator<=>(const place&) const = default; // NOLINT(modernize-use-nullptr)
  };

  static place place_of(const principal& who, const std::string& uri);

  std::vector<std::shared_ptr<subscriber>> subscribers();
  void look_again();
  void look();
  void look_at_next();
  bool look_at(const place& where, const principal& who, std::function<void()> then);
  void compare(const place& where, const std::string& content);

  std::shared_ptr<strand> on_;
  perform_operation perform_;
  std::map<place, std::optional<size_t>> seen_; ///< a hash of the content; none: not polled yet
  std::vector<std::weak_ptr<subscriber>> subscribers_;
  std::map<place, client_ptr> round_; ///< what is still to be polled in this round
  bool looking_ = false;
};

/// Reports changes to an agent's resources. The page and the goals notify it of theirs, which it
/// passes on at most every tenth of a second. Scratchbooks and traces report nothing, so they are
/// polled while they have subscribers. Everything is polled once the page has ended, for example
/// because another server has taken the agent, or if the page or the goals refuse a further
/// subscriber.
class agent_changes : public change_feed, public std::enable_shared_from_this<agent_changes> {
public:
  static constexpr timespan between_batches = std::chrono::milliseconds{100};

  /// `perform` performs operations of the same agent. Has to be destroyed before the system.
  agent_changes(caf::actor_system& system, std::shared_ptr<strand> on, scratch_page_actor page,
    frontal_cortex_actor goals, perform_operation perform);
  agent_changes(const agent_changes&) = delete;
  agent_changes& operator=(const agent_changes&) = delete;
  ~agent_changes() override;

  std::shared_ptr<void> subscribe(
    const principal& who, wanted_changes what, on_change then) override;

  /// Whether it watches that page.
  bool is_of(const scratch_page_actor& page) const { return page_ == page; }

private:
  class watcher;

  struct subscriber {
    principal who;
    std::set<std::string> uris;
    on_change then;
    std::shared_ptr<void> polled;  ///< subscription to resources that report nothing
    std::shared_ptr<void> instead; ///< likewise to the page and the goals, once they are silent
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
  bool is_silent_ = false; ///< the page and the goals do not report changes any more
  std::vector<std::weak_ptr<subscriber>> subscribers_;
};

} // namespace scratchpage::mcp
