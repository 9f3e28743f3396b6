#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage::mcp {

/// How much clients may subscribe to.
struct subscription_limits {
  static constexpr size_t listening = 1'024;       ///< `subscriptions/listen` at a time
  static constexpr size_t resources = 256;         ///< in one subscription
  static constexpr size_t of_client = 4'096;       ///< resources in all subscriptions of a client
  static constexpr size_t of_all_clients = 65'536; ///< resources in all subscriptions
  static constexpr size_t uri_bytes = 256;         ///< of the address of a resource
};

/// Counts what each client has: the resources that it has subscribed to, or its tasks. All programs
/// whose names are not authenticated count as one client, since they can use any number of names.
/// Used on the strand.
class resource_places {
public:
  explicit resource_places(size_t of_client = subscription_limits::of_client,
    size_t of_all_clients = subscription_limits::of_all_clients)
    : of_client_{of_client},
      of_all_clients_{of_all_clients} {}

  /// Takes that many places, until the returned object is destroyed, which may outlive this one.
  /// Null if too few are left.
  std::shared_ptr<const void> take(const caller& by, size_t many);

  /// The error text for a client that gets no places.
  std::string refusal(const caller& by) const;

private:
  struct counts {
    std::map<std::string, size_t> by_client; ///< of clients that have some
    size_t all = 0;

    void give_back(const std::string& client, size_t many);
  };

  size_t of_client_;
  size_t of_all_clients_;
  std::shared_ptr<counts> taken_ = std::make_shared<counts>();
};

} // namespace scratchpage::mcp
