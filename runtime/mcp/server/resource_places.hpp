#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/mcp/server/subscription_limits.hpp"

namespace scratchpage::mcp {

/// How many resources each client has subscribed to. Programs whose names nobody has checked are
/// one client: a name costs nothing. Used on the strand.
class resource_places {
public:
  explicit resource_places(size_t of_client = subscription_limits::of_client,
    size_t of_all_clients = subscription_limits::of_all_clients)
    : of_client_{of_client},
      of_all_clients_{of_all_clients} {}

  /// Places for so many more, for as long as somebody holds them; null if there are too few. May
  /// outlive this.
  std::shared_ptr<const void> take(const caller& by, size_t many);

  /// What a client without places is told.
  std::string refusal(const caller& by) const;

private:
  struct counts {
    std::map<std::string, size_t> by_client; ///< those that have some
    size_t all = 0;

    void give_back(const std::string& client, size_t many);
  };

  size_t of_client_;
  size_t of_all_clients_;
  std::shared_ptr<counts> taken_ = std::make_shared<counts>();
};

} // namespace scratchpage::mcp
