#include "scratchpage/actors/language/words.hpp"

#include <libstemmer.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "scratchpage/actors/language/recent_readings.hpp"
#include "scratchpage/actors/language/shared_lists.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// The characters that people use as apostrophes: ' ` U+00B4 U+02BC U+2018 U+2019 U+FF07.
constexpr std::array<std::string_view, 7> apostrophes{
  "'", "`", "\xC2\xB4", "\xCA\xBC", "\xE2\x80\x98", "\xE2\x80\x99", "\xEF\xBC\x87"};

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_word_byte(char c) {
  return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The byte at `i` in lower case; of UTF-8's two bytes of À to Þ, which begin with C3, the second
/// tells the case.
char lower_at(std::string_view text, size_t i) {
  auto byte = static_cast<unsigned char>(text[i]);
  auto is_capital = i > 0 && text[i - 1] == '\xC3' && byte >= 0x80 && byte <= 0x9E && byte != 0x97;
  return is_capital ? static_cast<char>(byte + 0x20) : lower(text[i]);
}

/// The number of bytes of the apostrophe at `i`; 0 if there is none.
size_t apostrophe_at(std::string_view text, size_t i) {
  if (static_cast<signed char>(text[i]) >= 0)
    return text[i] == '\'' || text[i] == '`' ? 1 : 0;
  for (auto one : apostrophes)
    if (is_at(text, i, one))
      return one.size();
  return 0;
}

bool begins_word(std::string_view text, size_t i) {
  return i < text.size() && is_word_byte(text[i]) && apostrophe_at(text, i) == 0;
}

struct delete_stemmer {
  void operator()(sb_stemmer* x) const { sb_stemmer_delete(x); }
};

bool fits(const std::string& pattern, const std::string& word) {
  if (pattern.front() == '*')
    return matches_pattern(pattern, word);
  if (pattern.back() != '*')
    return pattern == word;
  auto length = pattern.size() - 1;
  return word.compare(0, length, pattern, 0, length) == 0;
}

/// The words of a phrase. Unlike `words_of`, it keeps a `*` before or after a word.
std::vector<std::string> pattern_words(std::string_view phrase) {
  std::vector<std::string> result;
  while (!phrase.empty()) {
    auto space = std::min(phrase.find(' '), phrase.size());
    auto part = phrase.substr(0, space);
    auto words = words_of(part);
    if (!words.empty() && part.front() == '*')
      words.front().insert(0, "*");
    if (!words.empty() && part.back() == '*')
      words.back() += '*';
    result.insert(result.end(), words.begin(), words.end());
    phrase.remove_prefix(std::min(space + 1, phrase.size()));
  }
  return result;
}

} // namespace

const json::value* at_path(const json::object& in, std::string_view path) {
  const auto* object = &in;
  while (true) {
    auto dot = std::min(path.find('.'), path.size());
    const auto* value = object->if_contains(json::string_view{path.data(), dot});
    if (value == nullptr || dot == path.size())
      return value;
    object = value->if_object();
    if (object == nullptr)
      return nullptr;
    path.remove_prefix(dot + 1);
  }
}

std::string_view text_view_at(const json::object& in, std::string_view path) {
  const auto* value = at_path(in, path);
  const auto* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? std::string_view{text->data(), text->size()} : std::string_view{};
}

std::string text_at(const json::object& in, std::string_view path) {
  return std::string{text_view_at(in, path)};
}

std::optional<double> number_at(const json::object& in, std::string_view path) {
  const auto* value = at_path(in, path);
  if (value == nullptr || !value->is_number())
    return std::nullopt;
  return value->to_number<double>();
}

namespace {

/// Adds the letters and digits of ASCII that a text has from `i` on, in lower case. Returns where
/// they end.
size_t take_ascii(std::string_view text, size_t i, std::string& to) {
  auto end = i;
  while (end < text.size() && is_letter_or_digit(text[end]))
    ++end;
  auto begin = to.size();
  to.append(text, i, end - i);
  std::transform(to.begin() + static_cast<ptrdiff_t>(begin), to.end(),
    to.begin() + static_cast<ptrdiff_t>(begin), lower);
  return end;
}

/// The words of a text, which is read.
std::vector<std::string> read_words(std::string_view text) {
  std::vector<std::string> result;
  constexpr size_t bytes_of_word = 5; // with its space; most words are longer
  result.reserve(text.size() / bytes_of_word + 1);
  std::string word;
  auto finish = [&] {
    if (!word.empty())
      result.push_back(std::exchange(word, {}));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    i = take_ascii(text, i, word);
    if (i == text.size())
      break;
    if (auto length = apostrophe_at(text, i); length > 0) {
      if (!word.empty() && begins_word(text, i + length))
        word += '\'';
      else
        finish();
      i += length - 1;
    } else if (is_word_byte(text[i])) {
      word += lower_at(text, i);
    } else {
      finish();
    }
  }
  finish();
  return result;
}

} // namespace

/// One word is read as quickly as it is found.
std::vector<std::string> words_of(std::string_view text) {
  constexpr size_t bytes_of_few_words = 16;
  if (text.size() <= bytes_of_few_words)
    return read_words(text);
  thread_local recent_readings<std::vector<std::string>> known;
  return known.of(text, read_words);
}

std::vector<std::string_view> clauses_of(std::string_view text) {
  constexpr std::string_view always = ",;!()\r\n";
  constexpr std::string_view before_blank = ".:-";
  auto ends_at = [&](size_t i) {
    auto is_last = i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n';
    return always.find(text[i]) != std::string_view::npos
           || (is_last && before_blank.find(text[i]) != std::string_view::npos);
  };
  std::vector<std::string_view> result;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!ends_at(i))
      continue;
    result.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  result.push_back(text.substr(begin));
  return result;
}

std::string in_lower_case(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_at(text, i, "\xE2\x80\x99")) {
      result += '\'';
      i += 2;
    } else {
      result += lower(text[i]);
    }
  }
  return result;
}

std::string stem(const std::string& word) {
  // A stemmer has a buffer, so each thread needs its own.
  thread_local std::unique_ptr<sb_stemmer, delete_stemmer> stemmer{
    sb_stemmer_new("english", nullptr)};
  const auto* bytes = reinterpret_cast<const sb_symbol*>(word.data());
  const auto* stemmed = sb_stemmer_stem(stemmer.get(), bytes, static_cast<int>(word.size()));
  if (stemmed == nullptr)
    return word;
  auto length = static_cast<size_t>(sb_stemmer_length(stemmer.get()));
  return {reinterpret_cast<const char*>(stemmed), length};
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  auto star = std::string_view::npos;
  size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1; // let the last star take one more
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string enumerated(const std::vector<std::string>& parts) {
  std::string result;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0)
      result += i + 1 == parts.size() ? " and " : ", ";
    result += parts[i];
  }
  return result;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (size_t i = 0; i < parts.size(); ++i)
    result.append(i > 0 ? separator : "").append(parts[i]);
  return result;
}

bool contains(const std::vector<std::string>& list, std::string_view x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

const std::string* first_shared(
  const std::vector<std::string>& xs, const std::vector<std::string>& list) {
  for (const auto& x : xs)
    if (contains(list, x))
      return &x;
  return nullptr;
}

// -- phrases --------------------------------------------------------------------------

phrase_list::phrase_list(const std::vector<std::string>& phrases) {
  static shared_lists<table> known;
  if (!phrases.empty())
    table_ = known.get(phrases, table_of);
}

phrase_list::table phrase_list::table_of(const std::vector<std::string>& phrases) {
  table result;
  size_t order = 0;
  for (const auto& text : phrases) {
    auto words = pattern_words(text);
    if (words.empty())
      continue;
    const auto& first = words.front();
    auto is_open = first.front() == '*' || first.back() == '*';
    auto& to = is_open ? result.by_byte[first.front()] : result.by_word[first];
    to.push_back({text, std::move(words), order++});
  }
  return result;
}

/// The longest phrase at a position, the first that was configured of two alike.
const phrase_list::phrase* phrase_list::longest_at(
  const std::vector<std::string>& words, size_t position) const {
  if (!table_ || words[position].empty())
    return nullptr;
  auto group_of = [](const auto& groups, const auto& key) {
    auto found = groups.find(key);
    return found == groups.end() ? nullptr : &found->second;
  };
  const auto& [by_word, by_byte] = *table_;
  const auto& first = words[position];
  const auto* best = better_of(nullptr, group_of(by_word, first), words, position);
  if (by_byte.empty())
    return best;
  best = better_of(best, group_of(by_byte, first.front()), words, position);
  return better_of(best, group_of(by_byte, '*'), words, position);
}

/// `best`, or a better one of a group, which may be null.
const phrase_list::phrase* phrase_list::better_of(
  const phrase* best, const group* among, const std::vector<std::string>& words, size_t position) {
  if (among == nullptr)
    return best;
  for (const auto& one : *among) {
    auto length = one.words.size();
    auto is_better = best == nullptr || length > best->words.size()
                     || (length == best->words.size() && one.order < best->order);
    if (length <= words.size() - position && is_better
        && std::equal(one.words.begin(), one.words.end(),
          words.begin() + static_cast<ptrdiff_t>(position), fits))
      best = &one;
  }
  return best;
}

const std::string* phrase_list::find_in(const std::vector<std::string>& words) const {
  for (size_t i = 0; i < words.size(); ++i)
    if (const auto* found = longest_at(words, i))
      return &found->text;
  return nullptr;
}

size_t phrase_list::length_at(const std::vector<std::string>& words, size_t position) const {
  const auto* found = position < words.size() ? longest_at(words, position) : nullptr;
  return found != nullptr ? found->words.size() : 0;
}

bool phrase_list::is_whole(const std::vector<std::string>& words, size_t position) const {
  return position < words.size() && length_at(words, position) == words.size() - position;
}

// -- content words --------------------------------------------------------------------

content_words::content_words(const std::vector<std::string>& stop_words, size_t min_length)
  : min_length_{min_length} {
  static shared_lists<word_set> known;
  stop_words_ = known.get(stop_words, [](const auto& list) {
    return word_set{list.begin(), list.end()};
  });
}

bool content_words::counts(const std::string& word) const {
  return word.size() >= min_length_ && !stop_words_->contains(word);
}

std::vector<std::string> content_words::in_order(const std::vector<std::string>& words) const {
  std::vector<std::string> result;
  for (const auto& word : words) {
    if (is_number(word))
      result.push_back(word);
    else if (counts(word))
      result.push_back(stem(word));
  }
  return result;
}

std::set<std::string> content_words::stems(const std::vector<std::string>& words) const {
  std::set<std::string> result;
  for (const auto& word : words)
    if (counts(word) && !is_number(word))
      result.insert(stem(word));
  return result;
}

} // namespace scratchpage
