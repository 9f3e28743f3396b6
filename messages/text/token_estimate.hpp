#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace scratchpage {

/// How many tokens a text costs. It must give the same for the same text, and 0
/// for none.
using token_counter = std::function<uint32_t(std::string_view)>;

/// An estimate that needs no vocabulary and rather errs upward, since a budget
/// must hold for whatever model reads the text: the greater of
///
/// - the sum of a third of a token for each ASCII letter and space (English has
///   four to five of them a token), a whole one for each digit and punctuation
///   mark (some vocabularies have no token for two), and two thirds for each byte
///   beyond ASCII (two tokens for a Chinese character, which costs one to two);
/// - four thirds of a token for each word: short words are not shared.
///
/// Rounded up. A text costs at most the sum of its pieces if it is cut at white
/// space. Letters without sense (base64, hashes) may cost more than this says:
/// who needs it exact gives the model's own counter.
uint32_t estimate_tokens(std::string_view text);

} // namespace scratchpage
