#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// How many characters have to be added, removed, replaced, or exchanged with their neighbours to
/// make `b` out of `a`.
size_t edit_distance(std::string_view a, std::string_view b);

/// The name that was most likely meant by `given`: one that differs in few characters, or that
/// begins with it. "" if there is none.
std::string nearest_name(std::string_view given, const std::vector<std::string>& names);

/// "; did you mean 'NAME'?" if there is such a name, else "".
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names);

} // namespace scratchpage
