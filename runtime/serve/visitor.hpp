#pragma once

#include <string>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage::serve {

/// Who asks a server, as far as it knows.
struct visitor {
  caller by;
  bool may_write = true;
};

} // namespace scratchpage::serve
