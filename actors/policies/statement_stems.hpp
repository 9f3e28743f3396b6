#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// What a statement is about, for comparing statements: the stems of its words without small words,
/// negations and the user; of scripts without spaces the pairs of characters.
std::set<std::string> statement_stems(std::string_view text);

/// The same, in the order of the text and each as often as it occurs.
std::vector<std::string> stems_in_order(std::string_view text);

/// How many stems two statements share.
size_t shared_stems(const std::set<std::string>& a, const std::set<std::string>& b);

/// A text with "…" for what differs from case to case: numbers, names of files, quoted parts.
std::string without_literals(std::string_view text);

} // namespace scratchpage
