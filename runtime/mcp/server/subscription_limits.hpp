#pragma once

#include <cstddef>

namespace scratchpage::mcp {

/// What clients may subscribe to.
struct subscription_limits {
  static constexpr size_t listening = 1'024;       ///< `subscriptions/listen` at a time
  static constexpr size_t resources = 256;         ///< in one subscription
  static constexpr size_t of_client = 4'096;       ///< resources in all subscriptions of a client
  static constexpr size_t of_all_clients = 65'536; ///< resources in all subscriptions
  static constexpr size_t uri_bytes = 256;         ///< of the address of a resource
};

} // namespace scratchpage::mcp
