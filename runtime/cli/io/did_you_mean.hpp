#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// "; did you mean 'NAME'?" if one of the names of commands, options or values was probably meant
/// by `given`, else "".
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names);

} // namespace scratchpage
