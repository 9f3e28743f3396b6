#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <caf/error.hpp>

#include "scratchpage/messages/turn.hpp"

namespace scratchpage {

/// What a turn's plan may hold.
struct plan_limits {
  static constexpr size_t calls = 256;
  static constexpr size_t dependencies = 256; ///< of one call, in `depends_on` and `after` each
  static constexpr size_t id_bytes = 256;     ///< of the id of a call or a tool
  static constexpr size_t inputs_bytes = size_t{64} * 1024; ///< of one call, as JSON
  /// Of all of it as JSON, for one observation's metadata keeps it.
  static constexpr size_t plan_bytes = size_t{60} * 1024;
};

/// No error if the plan keeps the limits; else `invalid_request` that names the member, `path`
/// being the plan's. Takes time with what is allowed, not with what is given.
caf::error check_plan(const std::vector<planned_call>& plan, std::string_view path);

} // namespace scratchpage
