#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"

namespace scratchpage::serve {

/// Who asks a server, as far as it knows.
struct visitor {
  caller by;
  bool may_write = true;
  std::string traceparent; ///< of what they do, as they tell; "": they do not
  /// Whether an agent's id is none of theirs: `forbidden`, and then nobody says whether
  /// there is such an agent. Empty: all are.
  std::function<caf::error(const std::string& agent_id)> check_agent;
  /// Why they would not be let in any more, who had to wait meanwhile. Empty: nobody is shown out.
  std::function<caf::error()> check_admission;

  explicit visitor(caller x = {})
    : by{std::move(x)} {}
};

} // namespace scratchpage::serve
