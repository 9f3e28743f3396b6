#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which known name was probably meant by an unknown one, for errors that suggest it.

namespace scratchpage {

/// Words that callers use for the names of a program's interface.
struct other_name {
  std::string_view given;
  std::string_view meant; ///< names with blanks between, the likeliest first
};

/// Only the first bytes of a name are compared; a longer one is near to none.
inline constexpr size_t near_name_bytes = 64;

/// The name in the form of this interface: lower case, with an underscore at each border of words.
/// "maxResults" and "Max-Results" become "max_results".
std::string as_member_name(std::string_view given);

/// Those of `known` that were probably meant, the likeliest first, at most `most`: what `others`
/// says, or else those that differ in a few letters, then those that begin or end alike.
std::vector<std::string_view> near_names(std::string_view given,
  std::span<const std::string_view> known, std::span<const other_name> others, size_t most);

/// The likeliest of `known` by the words that callers use for members of arguments, such as `text`
/// for `content`.
std::optional<std::string_view> near_member(
  std::string_view given, std::span<const std::string_view> known);

/// The same for values, such as `done` for `completed`.
std::optional<std::string_view> near_value(
  std::string_view given, std::span<const std::string_view> known);

} // namespace scratchpage
