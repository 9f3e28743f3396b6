#include "scratchpage/actors/policies/sentence_text.hpp"

#include <algorithm>
#include <array>

#include "scratchpage/actors/language/words.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Words before a dot that does not end a sentence.
constexpr std::array<std::string_view, 18> abbreviations{"mr", "mrs", "ms", "dr", "st", "vs", "no",
  "prof", "jr", "sr", "e.g", "i.e", "etc", "approx", "z.b", "bzw", "mt", "ave"};

/// Capitalised words that are no names.
constexpr std::array<std::string_view, 12> no_names{
  "I", "I'm", "I'd", "I'll", "I've", "OK", "Ok", "Okay", "Yes", "No", "PM", "AM"};

/// The signs that end a sentence outside ASCII: 。 ？ ！
constexpr std::array<std::string_view, 3> wide_ends{"\xE3\x80\x82", "\xEF\xBC\x9F", "\xEF\xBC\x81"};

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_blank(char c) {
  return blanks.find(c) != std::string_view::npos;
}

std::string_view last_word(std::string_view text) {
  auto blank = text.find_last_of(blanks);
  return blank == std::string_view::npos ? text : text.substr(blank + 1);
}

/// Whether the dot at `i` ends a sentence that begins at `begin`.
bool dot_ends(std::string_view text, size_t begin, size_t i) {
  if (i + 1 < text.size() && !is_blank(text[i + 1]))
    // "...it.I want": a capital letter after a small one begins a sentence without a blank.
    return is_upper(text[i + 1]) && i > begin + 1 && text[i - 1] >= 'a' && text[i - 1] <= 'z'
           && text[i - 2] >= 'a' && text[i - 2] <= 'z';
  auto word = last_word(text.substr(begin, i - begin));
  if (word.size() == trimmed(text.substr(begin, i - begin)).size()
      && std::all_of(word.begin(), word.end(), is_digit)
      && (begin > 0 ? text[begin - 1] == '\n' : word == "1"))
    return false; // the number of an item in a list
  if (word.size() == 1 && is_upper(word[0]) && i + 1 < text.size())
    return word == "I";
  auto small = in_lower_case(word);
  if (small == "no")
    return i + 2 >= text.size() || !is_digit(text[i + 2]);
  return std::find(abbreviations.begin(), abbreviations.end(), small) == abbreviations.end();
}

/// The bytes of the sign at `i` that ends a sentence; 0 if none does.
size_t end_at(std::string_view text, size_t begin, size_t i) {
  auto c = text[i];
  if ((c == '!' || c == '?') && i + 1 < text.size() && text[i + 1] == ',')
    return 0; // a title in a list: "Oliver!, or Cats"
  if (c == '\n' || c == '?' || c == '!' || (c == '.' && dot_ends(text, begin, i)))
    return 1;
  for (auto sign : wide_ends)
    if (is_at(text, i, sign))
      return sign.size();
  return 0;
}

bool is_sign(char c) {
  return c == '.' || c == '?' || c == '!' || c == '"' || c == ')';
}

bool is_name(std::string_view word) {
  auto letters = word.substr(0, word.find_last_not_of(",;:.?!\")") + 1);
  while (!letters.empty() && (letters[0] == '"' || letters[0] == '(' || letters[0] == '\''))
    letters.remove_prefix(1);
  return !letters.empty() && is_upper(letters[0])
         && std::find(no_names.begin(), no_names.end(), letters) == no_names.end();
}

} // namespace

std::vector<std::string_view> sentences_of(std::string_view text) {
  text = utf8::prefix(text, sentence_limits::text_bytes);
  std::vector<std::string_view> result;
  auto add = [&](std::string_view part) {
    if (part = trimmed(part); part.find_first_not_of(".?!\")- ") != std::string_view::npos)
      result.push_back(part);
  };
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    auto bytes = end_at(text, begin, i);
    if (bytes == 0)
      continue;
    auto end = i + bytes;
    while (end < text.size() && is_sign(text[end]))
      ++end;
    add(text.substr(begin, end - begin));
    begin = end;
    i = end - 1;
  }
  add(text.substr(begin));
  if (result.size() > sentence_limits::sentences)
    result.erase(result.begin(), result.end() - sentence_limits::sentences);
  return result;
}

bool ends_with_question_mark(std::string_view sentence) {
  auto last = sentence.find_last_not_of(" .!\")");
  return last != std::string_view::npos
         && (sentence[last] == '?' || sentence.substr(0, last + 1).ends_with("\xEF\xBC\x9F"));
}

std::string with_names_masked(std::string_view sentence) {
  std::string result;
  bool is_first = true;
  bool in_name = false;
  while (!sentence.empty()) {
    auto blank = std::min(sentence.find_first_of(blanks), sentence.size());
    auto word = sentence.substr(0, blank);
    sentence.remove_prefix(std::min(blank + 1, sentence.size()));
    if (word.empty())
      continue;
    bool masks = !is_first && is_name(word);
    if (!masks || !in_name)
      result.append(result.empty() ? "" : " ").append(masks ? name_mask : word);
    auto after = word.find_last_not_of(",;:.?!\")") + 1;
    if (masks)
      result.append(word.substr(after));
    in_name = masks && after == word.size();
    is_first = word.back() == ':';
  }
  return result;
}

std::string first_name_in(std::string_view sentence) {
  std::string result;
  bool is_first = true;
  while (!sentence.empty()) {
    auto blank = std::min(sentence.find_first_of(blanks), sentence.size());
    auto word = sentence.substr(0, blank);
    sentence.remove_prefix(std::min(blank + 1, sentence.size()));
    auto after = word.find_last_not_of(",;:.?!\")") + 1;
    if (!is_first && is_name(word)) {
      result.append(result.empty() ? "" : " ").append(word.substr(0, after));
      if (after < word.size())
        return result;
    } else if (!result.empty()) {
      return result;
    }
    is_first = word.empty() ? is_first : word.back() == ':';
  }
  return result;
}

bool has_details(std::string_view masked_sentence) {
  return masked_sentence.find(name_mask) != std::string_view::npos
         || std::any_of(masked_sentence.begin(), masked_sentence.end(), is_digit);
}

} // namespace scratchpage
