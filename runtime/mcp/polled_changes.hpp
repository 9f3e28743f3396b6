#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scratchpage/runtime/mcp/agent_offers.hpp"
#include "scratchpage/runtime/mcp/changes.hpp"
#include "scratchpage/runtime/strand.hpp"

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
  struct subscriber {
    client who;
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

  std::vector<std::shared_ptr<subscriber>> subscribers();
  void look_again();
  void look();
  void look_at_next();
  void look_at(const place& where, const client& who, const std::function<void()>& then);
  void compare(const place& where, std::string content);

  std::shared_ptr<strand> on_;
  run_operation run_;
  std::map<place, std::string> seen_; ///< what was there; "": it was not looked at yet
  std::vector<std::weak_ptr<subscriber>> subscribers_;
  std::deque<std::pair<place, client>> round_; ///< what is still to be looked at
  bool looking_ = false;
};

} // namespace scratchpage::mcp
