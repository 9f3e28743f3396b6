#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "scratchpage/messages/json/json.hpp"
#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

/// How much the policies read of texts, which anybody may have written, and how much of them they
/// repeat.
struct reading_limits {
  static constexpr size_t input_bytes = 16'384; ///< of an input
  /// Of an observation's content, and as many of its tags.
  static constexpr size_t observation_bytes = 1'024;
  /// Of the alerts and questions of one source that an input is compared with.
  static constexpr size_t source_bytes = 32'768;
  /// Of all alerts and questions that an input is compared with.
  static constexpr size_t live_bytes = 262'144;
  /// Of the id of a thread or a user (turn_rules.hpp). No thread or user has a longer one.
  static constexpr size_t id_bytes = 1'024;
  static constexpr size_t reasons = 20;       ///< alerts, and questions, that a decision names
  static constexpr size_t quoted_bytes = 256; ///< of a text that a decision quotes
};

// -- members of JSON objects --------------------------------------------------------------------

/// The value at a dotted path ("customer.address.city"), or null. A list's
/// entries are not reached.
const json::value* at_path(const json::object& in, std::string_view path);

/// The text at a dotted path, or "" if there is none or it is not a text.
std::string text_at(const json::object& in, std::string_view path);

/// As `text_at`, without a copy. The view is valid until the object changes.
std::string_view text_view_at(const json::object& in, std::string_view path);

/// The number at a dotted path, if there is one.
std::optional<double> number_at(const json::object& in, std::string_view path);

// -- words, phrases and patterns, in lower case and without a locale ----------------------------

/// The words of `text` in lower case: runs of letters, digits and bytes outside
/// ASCII. An apostrophe within a word ("don't") becomes ', whichever character it is; an
/// underscore separates words.
std::vector<std::string> words_of(std::string_view text);

/// The parts of `text` between its punctuation, empty ones included: "No, problem." has other parts
/// than "no problem". A dot, a colon or a hyphen within a name ("store.erase") does not separate.
std::vector<std::string_view> clauses_of(std::string_view text);

/// `text` with lower-case letters of ASCII, and with ' for each typographic apostrophe.
std::string in_lower_case(std::string_view text);

/// Whether a text has only characters of ASCII.
inline bool is_ascii(std::string_view text) {
  return std::all_of(
    text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
}

/// Whether `part`, which is not empty, is what a text has at `i`.
inline bool is_at(std::string_view text, size_t i, std::string_view part) {
  return text[i] == part[0] && text.compare(i, part.size(), part) == 0;
}

/// Whether one of the parts occurs anywhere in the text: for scripts that put no space between
/// words. A text of ASCII alone has none of them.
bool has_part(std::string_view text, const auto& parts) {
  auto only_ascii = is_ascii(text);
  return std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) {
    return !(only_ascii && static_cast<signed char>(part[0]) < 0)
           && text.find(part) != std::string_view::npos;
  });
}

/// The English stem of a word in lower case ("cities" and "city" share one).
std::string stem(const std::string& word);

/// Whether `word` is digits only.
bool is_number(std::string_view word);

/// Whether `text` is `pattern`, where each `*` stands for any text.
bool matches_pattern(std::string_view pattern, std::string_view text);

/// "a, b and c".
std::string enumerated(const std::vector<std::string>& parts);

/// Parts with `separator` between them.
std::string joined(const std::vector<std::string>& parts, std::string_view separator);

/// Whether `list` has `x`.
bool contains(const std::vector<std::string>& list, std::string_view x);

/// The first of `xs` that is also in `list`, or null.
const std::string* first_shared(
  const std::vector<std::string>& xs, const std::vector<std::string>& list);

/// Words and phrases that are looked for in a text, as whole words; `*` at the
/// end of a word stands for any ending ("danger*"), and one before it for any beginning ("*n't").
class phrase_list {
public:
  phrase_list() = default;
  explicit phrase_list(const std::vector<std::string>& phrases);

  /// The phrase that occurs first in `words`, as it was configured, or null.
  const std::string* find_in(const std::vector<std::string>& words) const;

  /// How many words the longest phrase at `position` has; 0 if there is none.
  size_t length_at(const std::vector<std::string>& words, size_t position) const;

  /// Whether `words` from `position` on are one phrase and nothing else.
  bool is_whole(const std::vector<std::string>& words, size_t position = 0) const;

private:
  struct phrase {
    std::string text;
    std::vector<std::string> words;
    size_t order; ///< in which it was configured
  };

  /// Phrases that begin alike.
  using group = std::vector<phrase>;

  struct table {
    /// By their first words, unless these have a `*`.
    boost::unordered_flat_map<std::string, group, text_hash, text_equal> by_word;
    /// The others, by the first byte of their first words.
    boost::unordered_flat_map<char, group> by_byte;
  };

  static table table_of(const std::vector<std::string>& phrases);
  const phrase* longest_at(const std::vector<std::string>& words, size_t position) const;
  static const phrase* better_of(
    const phrase* best, const group* among, const std::vector<std::string>& words, size_t position);

  std::shared_ptr<const table> table_; ///< null: there are no phrases
};

/// Reduces a text to what it is about: the stems of its words, without stop words and words that
/// are too short to mean anything.
class content_words {
public:
  content_words() = default;

  /// `min_length` counts bytes.
  content_words(const std::vector<std::string>& stop_words, size_t min_length);

  /// The stems without numbers, for comparing what texts are about.
  std::set<std::string> stems(const std::vector<std::string>& words) const;

  /// The stems in the order of the text, with numbers. They make keys of statements, and statements
  /// that differ in a number are different.
  std::vector<std::string> in_order(const std::vector<std::string>& words) const;

private:
  bool counts(const std::string& word) const;

  using word_set = std::set<std::string, std::less<>>;

  std::shared_ptr<const word_set> stop_words_ = std::make_shared<const word_set>();
  size_t min_length_ = 1;
};

} // namespace scratchpage
