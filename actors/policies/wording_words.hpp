#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Words as they were written, for retelling clauses (`fact_wording.hpp`).

namespace scratchpage::policies {

using texts = std::vector<std::string>;
using pairs = std::map<std::string_view, std::string_view>;
using known_words = std::set<std::string_view>;

/// ASCII letters in lower case, the typographic apostrophe as the plain one, and no comma behind.
std::string plain(std::string_view text);

/// The words of a text without spaces and the punctuation around them, except commas behind them.
texts tokens_of(std::string_view text);

/// Each word in its `plain` form.
texts lower_of(const texts& words);

/// The words from `from` on, with some of them replaced; "" leaves a word out.
std::string rest_of(const texts& words, size_t from, const pairs& replaced = {});

/// Puts `to` in the place of `from` wherever it stands.
void replace_all(std::string& in, std::string_view from, std::string_view to);

/// Where a value ends that is given by its first word.
struct value_end {
  known_words always; ///< words that end it wherever they stand
  known_words later;  ///< words that end it, but may begin it
};

/// The words of a value, at most four, up to a comma or a word that ends it: "Linear" of "Linear
/// since May".
std::string value_from(const texts& words, size_t from, const value_end& end);

/// The words of a place: up to a word that tells the time.
std::string place_of(const texts& words, size_t from);

bool has_word(const texts& words, std::string_view word);
bool has_word(const texts& words, const known_words& list);

} // namespace scratchpage::policies
