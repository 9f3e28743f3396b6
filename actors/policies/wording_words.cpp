#include "scratchpage/actors/policies/wording_words.hpp"

#include <algorithm>

#include "scratchpage/actors/language/words.hpp"

namespace scratchpage::policies {

namespace {

constexpr size_t longest_value = 4; // words of a value or a place
constexpr std::string_view closing = ".;:!?\"()";
constexpr std::string_view opening = "\"(.,;:!?";

} // namespace

std::string plain(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_at(text, i, "\xE2\x80\x99")) {
      result += '\'';
      i += 2;
    } else {
      result += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    }
  }
  if (result.size() > 1 && result.back() == ',')
    result.pop_back();
  return result;
}

texts tokens_of(std::string_view text) {
  texts result;
  std::string word;
  auto end_word = [&] {
    while (!word.empty() && closing.find(word.back()) != std::string_view::npos)
      word.pop_back();
    if (!word.empty())
      result.push_back(word);
    word.clear();
  };
  for (auto c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      end_word();
    else if (!word.empty() || opening.find(c) == std::string_view::npos)
      word += c;
  }
  end_word();
  return result;
}

texts lower_of(const texts& words) {
  texts result;
  for (const auto& word : words)
    result.push_back(plain(word));
  return result;
}

std::string rest_of(const texts& words, size_t from, const pairs& replaced) {
  std::string result;
  for (auto i = from; i < words.size(); ++i) {
    auto found = replaced.find(plain(words[i]));
    auto word = found != replaced.end() ? found->second : std::string_view{words[i]};
    if (word.empty())
      continue;
    result.append(result.empty() ? "" : " ").append(word);
  }
  return result;
}

void replace_all(std::string& in, std::string_view from, std::string_view to) {
  for (auto i = in.find(from); i != std::string::npos; i = in.find(from, i + to.size()))
    in.replace(i, from.size(), to);
}

std::string value_from(const texts& words, size_t from, const value_end& end) {
  texts kept;
  for (auto i = from; i < words.size() && kept.size() < longest_value; ++i) {
    auto word = plain(words[i]);
    if (end.always.contains(word) || (end.later.contains(word) && !kept.empty()))
      break;
    kept.push_back(words[i]);
    if (words[i].ends_with(',')) {
      kept.back().pop_back();
      break;
    }
  }
  return joined(kept, " ");
}

std::string place_of(const texts& words, size_t from) {
  static const value_end end{
    {"now", "last", "this", "since", "two", "three", "recently", "next", "yesterday", "for", "with",
      "and", "because", "when", "after", "again", "jetzt", "seit", "letztes", "letzten", "ahora",
      "desde", "hace", "el", "y", "maintenant", "depuis", "il", "et", "und", "gezogen", "umgezogen",
      "today"},
    {"in", "im", "en", "from", "at"}};
  return value_from(words, from, end);
}

bool has_word(const texts& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_word(const texts& words, const known_words& list) {
  return std::any_of(
    words.begin(), words.end(), [&](const std::string& word) { return list.contains(word); });
}

} // namespace scratchpage::policies
