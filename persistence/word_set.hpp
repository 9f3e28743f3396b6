#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// The words of `text`: runs of letters, digits and bytes beyond ASCII, in lower
/// case as far as ASCII goes, sorted, each once. Punctuation and white space
/// separate. No stemming: the memories compare words, the page ranks texts.
std::vector<std::string> word_set_of(std::string_view text);

/// How many of the `wanted` words `words` has; both as word_set_of gives them.
size_t count_shared(std::span<const std::string> words, std::span<const std::string> wanted);

} // namespace scratchpage
