#pragma once

#include "scratchpage/messages/memory.hpp"

namespace scratchpage {

/// Removes purged observations from memories. This is the part of `purger` that the stores of
/// memories need; `purger` implements it.
class memory_purge {
public:
  virtual ~memory_purge() = default;

  /// Remove what these observations said. Both return whether anything has changed.
  virtual bool purge(episode& x) const = 0;
  virtual bool purge(fact& x) const = 0;
};

} // namespace scratchpage
