#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>

#include "scratchpage/runtime/mcp/server/provider.hpp"
#include "scratchpage/runtime/mcp/server/resource_places.hpp"

namespace scratchpage::mcp {

/// Which lists can change, and whether resources can be subscribed to, as capabilities
/// tell it.
wanted_changes changes_of_lists(const json::object& capabilities);
bool can_subscribe(const json::object& capabilities);

/// Serves `subscriptions/listen`: calls that stay open and tell of changes.
class listening {
public:
  listening(std::shared_ptr<provider> offers, std::shared_ptr<resource_places> places, size_t most,
    size_t most_uris)
    : offers_{std::move(offers)},
      places_{std::move(places)},
      most_{most},
      most_uris_{most_uris} {}

  /// Refuses a filter that names something which is no resource, or which the client may not read.
  void begin(const std::shared_ptr<call>& by);

private:
  using call_ptr = std::shared_ptr<call>;

  wanted_changes wanted_by(const json::object& filter, std::set<std::string> uris) const;
  bool are_readable(const call_ptr& by, const std::set<std::string>& uris) const;
  void follow(const call_ptr& by, wanted_changes what, std::shared_ptr<const void> places);

  std::shared_ptr<provider> offers_;
  std::shared_ptr<resource_places> places_;
  size_t most_;
  size_t most_uris_;
  std::shared_ptr<size_t> open_ = std::make_shared<size_t>(0);
};

} // namespace scratchpage::mcp
