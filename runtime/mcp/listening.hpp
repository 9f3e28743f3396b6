#pragma once

#include <cstddef>
#include <memory>

#include "scratchpage/runtime/mcp/provider.hpp"

namespace scratchpage::mcp {

/// Which lists can change, and whether resources can be subscribed to, as capabilities
/// tell it.
wanted_changes changes_of_lists(const json::object& capabilities);
bool can_subscribe(const json::object& capabilities);

/// Serves `subscriptions/listen`: calls that stay open and tell of changes.
class listening {
public:
  listening(std::shared_ptr<provider> offers, size_t most, size_t most_uris)
    : offers_{std::move(offers)},
      most_{most},
      most_uris_{most_uris} {}

  void begin(const std::shared_ptr<call>& by);

private:
  std::shared_ptr<provider> offers_;
  size_t most_;
  size_t most_uris_;
  std::shared_ptr<size_t> open_ = std::make_shared<size_t>(0);
};

} // namespace scratchpage::mcp
