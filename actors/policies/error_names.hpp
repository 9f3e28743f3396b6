#pragma once

#include <optional>
#include <string_view>

#include "scratchpage/actors/policies/decisions.hpp"

namespace scratchpage {

/// The class of an error that has a name: of errno, gRPC, exceptions of languages, codes of clouds,
/// of payments and of databases. Names are compared as they are written.
std::optional<error_class> class_of_name(std::string_view name);

} // namespace scratchpage
