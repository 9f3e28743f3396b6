#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// How the policies that read what people and agents say divide and prepare it.

namespace scratchpage {

struct sentence_limits {
  static constexpr size_t text_bytes = 8'192; ///< of a text that are read
  static constexpr size_t sentences = 64;     ///< of a text that are read, the last ones
};

/// The sentences of a text, each with the sign that ends it and without blanks around it. A dot
/// within a number, after an initial or after a common abbreviation ends none.
std::vector<std::string_view> sentences_of(std::string_view text);

/// Whether a sentence ends with a question mark of any script.
bool ends_with_question_mark(std::string_view sentence);

/// The stand-in for names in `with_names_masked`.
inline constexpr std::string_view name_mask = "Xx";

/// The sentence with `name_mask` for each run of capitalised words within it, so that a classifier
/// sees that there is a name, and not which: "How about Xx in Xx?".
std::string with_names_masked(std::string_view sentence);

/// The first name within a sentence, "" if there is none.
std::string first_name_in(std::string_view sentence);

/// Whether a sentence has a number or a name.
bool has_details(std::string_view masked_sentence);

/// Whether a word is among those.
template <size_t N>
bool is_one_of(const std::array<std::string_view, N>& all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

inline bool is_one_of(std::initializer_list<std::string_view> all, std::string_view word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

} // namespace scratchpage
