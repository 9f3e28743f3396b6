#pragma once

#include "scratchpage/messages/memory.hpp"

namespace scratchpage {

/// Knows what memories have to drop once observations are purged. Stores of memories need
/// no more than this interface of `purger`, which implements it.
class memory_purge {
public:
  virtual ~memory_purge() = default;

  /// Drops what these observations said. Each returns whether anything has changed.
  virtual bool purge(episode& x) const = 0;
  virtual bool purge(fact& x) const = 0;
};

} // namespace scratchpage
