#pragma once

#include <string>
#include <string_view>

#include <caf/error.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/error.hpp"

namespace scratchpage {

/// `forbidden` for a tool, which may add and query and change what is its own
/// (contract 12). `what` completes "a tool may not …".
inline caf::error daemons_only(const caller& by, std::string_view what) {
  if (by.role != role::tool)
    return {};
  return fail(errc::forbidden, "by.role", "a tool may not " + std::string{what});
}

} // namespace scratchpage
