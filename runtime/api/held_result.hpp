#pragma once

#include <string>
#include <string_view>

#include <caf/expected.hpp>

#include "scratchpage/runtime/net/http/answer_budget.hpp"

namespace scratchpage {

/// Holds what an operation has answered to the budget for answers: a result that is too long, or
/// for which there is no room now, becomes an error that says so, and whether something was done.
http::held_bytes hold_result(
  caf::expected<std::string>& result, std::string_view operation, http::answer_budget& of);

} // namespace scratchpage
