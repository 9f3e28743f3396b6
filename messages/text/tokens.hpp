#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

/// The words of `text`: runs of letters, digits and bytes beyond ASCII, in lower
/// case as far as ASCII goes, sorted, each once. Punctuation and white space
/// separate. No stemming: the memories compare words, the page ranks texts.
std::vector<std::string> word_set_of(std::string_view text);

/// The hashes (`keyed_hash`) of the same words, which take less memory. They are compared within a
/// process only, and never stored.
std::vector<uint64_t> word_hashes_of(std::string_view text);

/// How many words are in both lists, which come from the functions above. The time is the length of
/// the shorter list times the logarithm of the length of the longer one.
size_t count_shared(std::span<const std::string> a, std::span<const std::string> b);
size_t count_shared(std::span<const uint64_t> a, std::span<const uint64_t> b);

/// Counts the tokens of a text. It must give the same number for the same text, and 0
/// for an empty one.
using token_counter = std::function<uint32_t(std::string_view)>;

/// Estimates the tokens of a text without a vocabulary. The estimate is rather too high than too
/// low, because a budget must hold for every model. It is the greater of
///
/// - the sum of a third of a token for each ASCII letter and space (English has
///   four to five of them a token), a whole one for each digit and punctuation
///   mark (some vocabularies have no token for two), and two thirds for each byte
///   beyond ASCII (two tokens for a Chinese character, which costs one to two);
/// - four thirds of a token for each word, because no two words share a token.
///
/// It is rounded up. A text costs at most the sum of its pieces if it is cut at white space. Random
/// letters (base64, hashes) may cost more than the estimate. Whoever needs the exact number gives a
/// `token_counter` with the model's own vocabulary.
uint32_t estimate_tokens(std::string_view text);

} // namespace scratchpage
