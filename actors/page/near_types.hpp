#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// The types that a caller probably means by an unknown one, at most three, the likeliest first. By
/// `note` an `observation` is meant, by `warning` an `alert`.
std::vector<std::string> near_types(std::string_view given, const std::vector<std::string>& known);

} // namespace scratchpage
