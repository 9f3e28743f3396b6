#include "scratchpage/actors/page/index/text_analyzer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <libstemmer.h>

#include "scratchpage/actors/language/irregular_verbs.hpp"
#include "scratchpage/actors/language/shared_lists.hpp"
#include "scratchpage/messages/text/utf8.hpp"

namespace scratchpage {

namespace {

/// Bytes of a word. The rest of a longer run of letters is ignored, because it is data, not a word.
constexpr size_t max_word = 64;

void encode(char32_t x, std::string& out) {
  auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (x < 0x80) {
    put(x);
  } else if (x < 0x800) {
    put(0xC0 | (x >> 6));
    put(0x80 | (x & 0x3F));
  } else if (x < 0x10000) {
    put(0xE0 | (x >> 12));
    put(0x80 | ((x >> 6) & 0x3F));
    put(0x80 | (x & 0x3F));
  } else {
    put(0xF0 | (x >> 18));
    put(0x80 | ((x >> 12) & 0x3F));
    put(0x80 | ((x >> 6) & 0x3F));
    put(0x80 | (x & 0x3F));
  }
}

struct range {
  char32_t first;
  char32_t last;
};

/// Characters beyond ASCII that are neither letters nor digits, in order. Combining marks count as
/// letters.
constexpr std::array<range, 19> separators{{
  {0x80, 0xA9},
  {0xAB, 0xB1},
  {0xB4, 0xB4},
  {0xB6, 0xB8},
  {0xBB, 0xBB},
  {0xBF, 0xBF},
  {0xD7, 0xD7},
  {0xF7, 0xF7},
  {0x2000, 0x206F},
  {0x20A0, 0x20CF},
  {0x2190, 0x245F},
  {0x2500, 0x2775},
  {0x2794, 0x2BFF},
  {0x2E00, 0x2E7F},
  {0x3000, 0x3004},
  {0x3008, 0x3020},
  {0xE000, 0xF8FF},
  {0xFE10, 0xFE6F},
  {0xFFF0, 0xFFFF},
}};

bool is_word(char32_t x) {
  if (x < 0x80)
    return (x >= 'a' && x <= 'z') || (x >= '0' && x <= '9') || (x >= 'A' && x <= 'Z');
  if (x >= 0x1F000 && x <= 0x1FAFF) // pictographs
    return false;
  if (x >= 0xFF00 && x <= 0xFF65) // full-width ASCII
    return (x >= 0xFF10 && x <= 0xFF19) || (x >= 0xFF21 && x <= 0xFF3A)
           || (x >= 0xFF41 && x <= 0xFF5A);
  auto i = std::upper_bound(separators.begin(), separators.end(), x,
    [](char32_t value, const range& r) { return value < r.first; });
  return i == separators.begin() || x > (i - 1)->last;
}

/// The lower case of a Latin, Greek, Cyrillic or Armenian letter.
char32_t lower(char32_t x) {
  auto in = [x](char32_t first, char32_t last) { return x >= first && x <= last; };
  if (x < 0x80)
    return in('A', 'Z') ? x + 32 : x;
  if (in(0xC0, 0xDE))
    return x != 0xD7 ? x + 32 : x;
  if (x == 0x130)
    return 'i';
  if (x == 0x178)
    return 0xFF;
  if (in(0x100, 0x137) || in(0x14A, 0x177) || in(0x1E00, 0x1E95) || in(0x1EA0, 0x1EFF)
      || in(0x460, 0x481) || in(0x48A, 0x4BF) || in(0x4D0, 0x52F))
    return x | 1;
  if (in(0x139, 0x148) || in(0x179, 0x17E) || in(0x4C1, 0x4CE))
    return x + (x & 1);
  if (in(0x391, 0x3AB))
    return x + 32;
  if (x == 0x386)
    return 0x3AC;
  if (in(0x388, 0x38A))
    return x + 37;
  if (x == 0x38C)
    return 0x3CC;
  if (in(0x38E, 0x38F))
    return x + 63;
  if (x == 0x3C2) // sigma at the end of a word
    return 0x3C3;
  if (in(0x410, 0x42F))
    return x + 32;
  if (in(0x400, 0x40F))
    return x + 80;
  if (in(0x531, 0x556))
    return x + 48;
  if (in(0xFF21, 0xFF3A))
    return x + 32;
  return x;
}

/// The bytes of a straight or curly apostrophe at the front of `text`; 0 if there is none.
size_t apostrophe(std::string_view text) {
  if (text.starts_with('\''))
    return 1;
  return text.starts_with("\xE2\x80\x99") ? 3 : 0;
}

/// Removes "'s" at the front of `text`, if no further letter follows.
void skip_possessive(std::string_view& text) {
  auto n = apostrophe(text);
  if (n == 0 || n >= text.size() || (text[n] != 's' && text[n] != 'S'))
    return;
  auto rest = text.substr(n + 1);
  if (rest.empty() || !is_word(utf8::first_character(rest).code))
    text = rest;
}

} // namespace

void text_analyzer::free_stemmer::operator()(sb_stemmer* x) const {
  sb_stemmer_delete(x);
}

std::shared_ptr<const text_analyzer::word_set> text_analyzer::shared_stop_words(
  const std::vector<std::string>& words) {
  static shared_lists<word_set> all;
  return all.get(words, [](const std::vector<std::string>& x) {
    return word_set{x.begin(), x.end()};
  });
}

text_analyzer::text_analyzer(shared_settings<text_config> config)
  : config_{std::move(config)},
    is_english_{config_->language == "english"},
    stop_words_{shared_stop_words(config_->stop_words)} {
  stemmer_.reset(sb_stemmer_new(config_->language.c_str(), "UTF_8"));
}

text_analyzer::~text_analyzer() = default;

bool text_analyzer::next_word(std::string_view& text) {
  word_.clear();
  while (!text.empty()) {
    // ASCII is the most frequent case.
    auto c = static_cast<unsigned char>(text.front());
    auto is_ascii = c < 0x80;
    auto x = is_ascii ? utf8::character{c, 1, true} : utf8::first_character(text);
    if (is_word(x.code)) {
      text.remove_prefix(x.bytes);
      if (word_.size() + x.bytes > max_word)
        continue;
      if (is_ascii)
        word_.push_back(static_cast<char>(lower(c)));
      else
        encode(lower(x.code), word_);
      continue;
    }
    if (!word_.empty()) {
      skip_possessive(text);
      return true;
    }
    text.remove_prefix(x.bytes);
  }
  return !word_.empty();
}

const std::string& text_analyzer::term_of_word() {
  text_key key{word_};
  if (auto i = terms_.find(key); i != terms_.end())
    return i->second;
  if (terms_.size() >= config_->cached_words)
    terms_.clear();
  if (stop_words_->contains(key))
    return terms_.emplace(word_, std::string{}).first->second;
  std::string term{is_english_ ? infinitive_of(word_) : std::string_view{word_}};
  if (stemmer_) {
    const auto* stem = sb_stemmer_stem(stemmer_.get(),
      reinterpret_cast<const sb_symbol*>(term.data()), static_cast<int>(term.size()));
    if (stem != nullptr)
      term.assign(reinterpret_cast<const char*>(stem),
        static_cast<size_t>(sb_stemmer_length(stemmer_.get())));
  }
  return terms_.emplace(word_, std::move(term)).first->second;
}

} // namespace scratchpage
