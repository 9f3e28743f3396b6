#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "scratchpage/runtime/mcp/server/client.hpp"

/// What clients are told of without asking again.

namespace scratchpage::mcp {

enum class change_kind : uint8_t { tools, prompts, resources, resource };

struct change {
  change_kind kind = change_kind::resource;
  std::string uri; ///< of the resource
};

/// Which changes somebody wants to hear of.
struct wanted_changes {
  std::set<change_kind> lists; ///< any but `resource`
  std::set<std::string> uris;  ///< of resources

  bool empty() const { return lists.empty() && uris.empty(); }
  bool contains(const change& x) const {
    return x.kind == change_kind::resource ? uris.contains(x.uri) : lists.contains(x.kind);
  }
};

/// Tells of changes.
class change_feed {
public:
  using on_change = std::function<void(const change&)>;

  virtual ~change_feed() = default;

  /// Calls back for every change that is wanted, until what it gives is gone. Of
  /// changes that follow each other fast it may tell once. Used on the server's
  /// strand, and calls back there.
  virtual std::shared_ptr<void> subscribe(
    const client& who, wanted_changes what, on_change then) = 0;
};

} // namespace scratchpage::mcp
