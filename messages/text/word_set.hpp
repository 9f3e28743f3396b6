#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// The words of `text`: runs of letters, digits and bytes beyond ASCII, in lower
/// case as far as ASCII goes, sorted, each once. Punctuation and white space
/// separate. No stemming: the memories compare words, the page ranks texts.
std::vector<std::string> word_set_of(std::string_view text);

/// The same words as numbers (`keyed_hash`), which take little room. They are not kept, and
/// compared within a process alone.
std::vector<uint64_t> word_hashes_of(std::string_view text);

/// How many words are in both; they are as the functions above give them. It takes as long as the
/// shorter one is, times the logarithm of the longer one's length.
size_t count_shared(std::span<const std::string> a, std::span<const std::string> b);
size_t count_shared(std::span<const uint64_t> a, std::span<const uint64_t> b);

} // namespace scratchpage
