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

/// The sign that ends a sentence, ASCII for each of its forms; 0 if there is none at `i`.
char mark_at(std::string_view text, size_t i) {
  if (text[i] == '?' || text[i] == '!')
    return text[i];
  if (is_at(text, i, "\xEF\xBC\x9F"))
    return '?';
  if (is_at(text, i, "\xEF\xBC\x81"))
    return '!';
  return 0;
}

} // namespace

feature_parts::feature_parts(std::string_view text) {
  text = utf8::prefix(text, feature_limits::text_bytes);
  text_.reserve(2 * text.size() + 32);
  tokens_.reserve(text.size() / 3 + 4);
  add_token(beginning);
  for (const auto& word : words_of(text))
    add_tokens(word);
  add_token(ending);
  add_runs();
  add_marks(text);
}

void feature_parts::add_token(std::string_view token) {
  if (!text_.empty())
    text_ += ' ';
  tokens_.push_back({static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(token.size())});
  text_ += token;
}

/// The tokens of a word: itself, `any_number`, or each character of an unspaced script.
void feature_parts::add_tokens(const std::string& word) {
  if (has_digit(word)) {
    add_token(any_number);
    return;
  }
  std::string_view rest = word;
  size_t spaced = 0; // bytes of the rest that are one token
  while (spaced < rest.size()) {
    auto size = std::min(bytes_of_character(rest[spaced]), rest.size() - spaced);
    auto character = rest.substr(spaced, size);
    if (!is_unspaced(character)) {
      spaced += size;
      continue;
    }
    if (spaced > 0)
      add_token(rest.substr(0, spaced));
    add_token(character);
    rest.remove_prefix(spaced + size);
    spaced = 0;
  }
  if (!rest.empty())
    add_token(rest);
}

/// Each token, and each two and three that follow each other.
void feature_parts::add_runs() {
  parts_.reserve(std::min(tokens_.size() * longest_run, feature_limits::features) + 3);
  for (size_t i = 0; i < tokens_.size(); ++i)
    for (size_t n = 0; n < longest_run && i + n < tokens_.size(); ++n) {
      const auto& last = tokens_[i + n];
      auto is_edge = n == 0 && (i == 0 || i + 1 == tokens_.size());
      if (!is_edge && parts_.size() < feature_limits::features)
        parts_.push_back({tokens_[i].at, last.at + last.bytes - tokens_[i].at});
    }
}

void feature_parts::add_mark(std::string_view sign) {
  parts_.push_back({static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(sign.size())});
  text_ += sign;
}

void feature_parts::add_marks(std::string_view text) {
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
    add_mark("has ?");
  if (exclaims)
    add_mark("has !");
  if (last != 0)
    add_mark(std::string{"ends "} + last);
}

std::vector<std::string> text_features(std::string_view text) {
  feature_parts parts{text};
  std::vector<std::string> result;
  for (size_t i = 0; i < parts.size(); ++i)
    result.emplace_back(parts[i]);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

} // namespace scratchpage
