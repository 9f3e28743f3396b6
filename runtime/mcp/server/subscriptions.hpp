#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/runtime/mcp/server/provider.hpp"

namespace scratchpage::mcp {

/// How much clients may subscribe to.
struct subscription_limits {
  static constexpr size_t listening = 1'024;       ///< `subscriptions/listen` at a time
  static constexpr size_t resources = 256;         ///< in one subscription
  static constexpr size_t of_client = 4'096;       ///< resources in all subscriptions of a client
  static constexpr size_t of_all_clients = 65'536; ///< resources in all subscriptions
  static constexpr size_t uri_bytes = 256;         ///< of the address of a resource
};

/// Counts the resources that each client has subscribed to. All programs whose names are not
/// authenticated count as one client, since they can use any number of names. Used on the strand.
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

/// What capabilities say: which lists can change, and whether clients can subscribe to resources.
wanted_changes changes_of_lists(const json::object& capabilities);
bool can_subscribe(const json::object& capabilities);

/// Serves `subscriptions/listen`: calls that stay open and report changes.
class listening {
public:
  listening(std::shared_ptr<provider> offers, std::shared_ptr<resource_places> places, size_t most,
    size_t max_uris)
    : offers_{std::move(offers)},
      places_{std::move(places)},
      most_{most},
      max_uris_{max_uris} {}

  /// Refuses the call if its filter names something that is no resource, or that the client may not
  /// read.
  void begin(const std::shared_ptr<call>& by);

private:
  using call_ptr = std::shared_ptr<call>;

  wanted_changes wanted_by(const json::object& filter, std::set<std::string> uris) const;
  bool are_readable(const call_ptr& by, const std::set<std::string>& uris) const;
  void follow(const call_ptr& by, wanted_changes what, std::shared_ptr<const void> places);

  std::shared_ptr<provider> offers_;
  std::shared_ptr<resource_places> places_;
  size_t most_;
  size_t max_uris_;
  std::shared_ptr<size_t> open_ = std::make_shared<size_t>(0);
};

} // namespace scratchpage::mcp
