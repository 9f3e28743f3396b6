#pragma once

#include <optional>
#include <string_view>

namespace scratchpage::access {

/// The token in an `Authorization` header's value (RFC 6750, 2.1); nothing if that is of
/// another kind.
std::optional<std::string_view> bearer_in(std::string_view authorization);

} // namespace scratchpage::access
