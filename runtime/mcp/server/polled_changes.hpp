#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scratchpage/runtime/execution/strand.hpp"
#include "scratchpage/runtime/mcp/server/agent_offers.hpp"
#include "scratchpage/runtime/mcp/server/changes.hpp"

namespace scratchpage::mcp {

/// Tells of changes to an agent's resources by looking at those that somebody wants to
/// hear of, about twice a second: for what tells nothing by itself, and for an agent that
/// lives in another process, which may be another one tomorrow.
class polled_changes : public change_feed, public std::enable_shared_from_this<polled_changes> {
public:
  static constexpr timespan between_looks = std::chrono::milliseconds{500};

  polled_changes(std::shared_ptr<strand> on, run_operation run);

  std::shared_ptr<void> subscribe(const client& who, wanted_changes what, on_change then) override;

private:
  using client_ptr = std::shared_ptr<const client>; // the same for all that it wants

  struct subscriber {
    client_ptr who;
    wanted_changes what;
    on_change then;
  };

  /// A resource, for those of one thread of an agent.
  struct place {
    std::string agent_id;
    std::string thread_id;
    std::string uri;

    auto operator<=>(const place&) const = default; // NOLINT(modernize-use-nullptr)
  };

  static place place_of(const client& who, const std::string& uri);

  std::vector<std::shared_ptr<subscriber>> subscribers();
  void look_again();
  void look();
  void look_at_next();
  bool look_at(const place& where, const client& who, std::function<void()> then);
  void compare(const place& where, const std::string& content);

  std::shared_ptr<strand> on_;
  run_operation run_;
  std::map<place, std::optional<size_t>> seen_; ///< a hash of it; none: nobody has looked yet
  std::vector<std::weak_ptr<subscriber>> subscribers_;
  std::map<place, client_ptr> round_; ///< what is still to be looked at
  bool looking_ = false;
};

} // namespace scratchpage::mcp
