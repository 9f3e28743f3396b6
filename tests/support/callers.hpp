#pragma once

#include <string>
#include <utility>

#include "scratchpage/messages/caller.hpp"

/// Callers outside of the ensemble's process.

namespace scratchpage::test {

inline caller from_outside(caller x) {
  x.outside = true;
  return x;
}

/// A program from outside that claims its name without a token.
inline caller claimed(caller x) {
  x.claimed = true;
  return from_outside(std::move(x));
}

inline caller claimed(const std::string& name) {
  return claimed(as_daemon(name));
}

} // namespace scratchpage::test
