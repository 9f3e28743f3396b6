#include "scratchpage/actors/language/text_features.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view any_number = "#";
constexpr std::string_view beginning = "^";
constexpr std::string_view ending = "$";
constexpr size_t longest_run = 3; // words in one feature

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), is_digit);
}

bool is_ascii_word_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}

size_t bytes_of_character(char lead) {
  auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Whether the character is of a script that writes no spaces between words: kana, Chinese
/// characters, and full-width forms, all of which take three bytes that begin with E3 to EF.
bool is_unspaced(std::string_view character) {
  return character.size() == 3 && static_cast<unsigned char>(character[0]) >= 0xE3;
}

/// The tokens of a word: itself, `any_number`, or each character of an unspaced script.
void add_tokens(const std::string& word, std::vector<std::string>& to) {
  if (has_digit(word)) {
    to.emplace_back(any_number);
    return;
  }
  std::string spaced;
  for (size_t i = 0; i < word.size();) {
    auto size = std::min(bytes_of_character(word[i]), word.size() - i);
    std::string_view character{word.data() + i, size};
    if (is_unspaced(character)) {
      if (!spaced.empty())
        to.push_back(std::exchange(spaced, {}));
      to.emplace_back(character);
    } else {
      spaced += character;
    }
    i += size;
  }
  if (!spaced.empty())
    to.push_back(std::move(spaced));
}

/// The sign that ends a sentence, ASCII for each of its forms; 0 if there is none at `i`.
char mark_at(std::string_view text, size_t i) {
  if (text[i] == '?' || text[i] == '!')
    return text[i];
  if (text.compare(i, 3, "\xEF\xBC\x9F") == 0)
    return '?';
  if (text.compare(i, 3, "\xEF\xBC\x81") == 0)
    return '!';
  return 0;
}

void add_marks(std::string_view text, std::vector<std::string>& to) {
  bool asks = false;
  bool exclaims = false;
  char last = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    auto mark = mark_at(text, i);
    asks = asks || mark == '?';
    exclaims = exclaims || mark == '!';
    if (mark != 0)
      last = mark;
    else if (is_ascii_word_part(text[i]))
      last = 0;
  }
  if (asks)
    to.emplace_back("has ?");
  if (exclaims)
    to.emplace_back("has !");
  if (last != 0)
    to.push_back(std::string{"ends "} + last);
}

} // namespace

std::vector<std::string> text_features(std::string_view text) {
  text = utf8::prefix(text, feature_limits::text_bytes);
  std::vector<std::string> tokens{std::string{beginning}};
  for (const auto& word : words_of(text))
    add_tokens(word, tokens);
  tokens.emplace_back(ending);
  std::vector<std::string> result;
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::string run;
    for (size_t n = 0; n < longest_run && i + n < tokens.size(); ++n) {
      run.append(n == 0 ? "" : " ").append(tokens[i + n]);
      if (run != beginning && run != ending && result.size() < feature_limits::features)
        result.push_back(run);
    }
  }
  add_marks(text, result);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

} // namespace scratchpage
