#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "scratchpage/runtime/auth/principal.hpp"

namespace scratchpage::mcp {

// Changes that clients are notified of.

enum class change_kind : uint8_t { tools, prompts, resources, resource };

struct change {
  change_kind kind = change_kind::resource;
  std::string uri; ///< of the resource that has changed; "": a list has
};

/// The changes that a client wants to be notified of.
struct wanted_changes {
  std::set<change_kind> lists; ///< any but `resource`
  std::set<std::string> uris;  ///< of resources

  bool empty() const { return lists.empty() && uris.empty(); }
  bool contains(const change& x) const {
    return x.kind == change_kind::resource ? uris.contains(x.uri) : lists.contains(x.kind);
  }
};

/// Reports changes.
class change_feed {
public:
  using on_change = std::function<void(const change&)>;

  virtual ~change_feed() = default;

  /// Calls `then` for every wanted change while the returned object exists. Several quick changes
  /// may be reported once. Used on the server's strand, where `then` is called, too.
  virtual std::shared_ptr<void> subscribe(
    const principal& who, wanted_changes what, on_change then) = 0;
};

} // namespace scratchpage::mcp
