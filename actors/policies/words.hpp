#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Text as the policies see it: words, phrases and patterns, without regard to
/// case. Nothing here depends on a locale.

namespace scratchpage {

/// The words of `text` in lower case: runs of letters, digits and bytes outside
/// ASCII. An apostrophe within a word stays ("don't"), and becomes plain however it is
/// written; an underscore separates.
std::vector<std::string> words_of(std::string_view text);

/// The parts of `text` between its punctuation, empty ones too: "No, problem." has other parts
/// than "no problem". A dot, a colon or a hyphen within a name ("store.erase") separates nothing.
std::vector<std::string_view> clauses_of(std::string_view text);

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
  };

  const phrase* longest_at(const std::vector<std::string>& words, size_t position) const;

  std::vector<phrase> phrases_;
};

/// What a text is about: the stems of its words without stop words and words that are too short to
/// mean anything.
class content_words {
public:
  content_words() = default;

  /// `min_length` counts bytes.
  content_words(const std::vector<std::string>& stop_words, size_t min_length);

  /// Without numbers, for comparing what texts are about.
  std::set<std::string> stems(const std::vector<std::string>& words) const;

  /// In the order of the text and with its numbers, for keys: what differs in a number is not the
  /// same statement.
  std::vector<std::string> in_order(const std::vector<std::string>& words) const;

private:
  bool counts(const std::string& word) const;

  std::set<std::string, std::less<>> stop_words_;
  size_t min_length_ = 1;
};

} // namespace scratchpage
