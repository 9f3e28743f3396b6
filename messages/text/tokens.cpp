#include "scratchpage/messages/text/tokens.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "scratchpage/messages/text/key_text.hpp"

namespace scratchpage {

namespace {

bool is_word_byte(char x) {
  auto byte = static_cast<unsigned char>(x);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
         || (byte >= '0' && byte <= '9') || byte >= 0x80;
}

char to_lower(char x) {
  return x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x;
}

/// Calls `f` once, with the words of a text in lower case, sorted, each once.
template <class F>
void use_words(std::string_view text, F f) {
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
  std::vector<std::string_view> words;
  auto from = lower.cbegin();
  while ((from = std::find_if(from, lower.cend(), is_word_byte)) != lower.cend()) {
    auto to = std::find_if_not(from, lower.cend(), is_word_byte);
    words.emplace_back(&*from, static_cast<size_t>(to - from));
    from = to;
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  f(words);
}

template <class T>
size_t count_in_both(std::span<const T> a, std::span<const T> b) {
  auto [few, many] = a.size() < b.size() ? std::pair{a, b} : std::pair{b, a};
  size_t result = 0;
  auto from = many.begin();
  for (const auto& word : few) {
    from = std::lower_bound(from, many.end(), word);
    if (from == many.end())
      break;
    if (*from == word)
      ++result;
  }
  return result;
}

bool is_space(unsigned char x) {
  return x <= ' ';
}

bool is_letter(unsigned char x) {
  return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z');
}

/// The cost of a byte in thirds of a token.
uint64_t cost_of(unsigned char x) {
  if (x >= 0x80)
    return 2;
  return is_letter(x) || is_space(x) ? 1 : 3;
}

} // namespace

std::vector<std::string> word_set_of(std::string_view text) {
  std::vector<std::string> result;
  use_words(text, [&result](const std::vector<std::string_view>& words) {
    result.assign(words.begin(), words.end()); // without spare capacity
  });
  return result;
}

std::vector<uint64_t> word_hashes_of(std::string_view text) {
  std::vector<uint64_t> result;
  use_words(text, [&result](const std::vector<std::string_view>& words) {
    result.reserve(words.size());
    std::transform(words.begin(), words.end(), std::back_inserter(result), keyed_hash);
  });
  std::sort(result.begin(), result.end());
  return result;
}

size_t count_shared(std::span<const std::string> a, std::span<const std::string> b) {
  return count_in_both(a, b);
}

size_t count_shared(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  return count_in_both(a, b);
}

uint32_t estimate_tokens(std::string_view text) {
  uint64_t thirds_by_bytes = 0;
  uint64_t words = 0;
  bool in_word = false;
  for (auto c : text) {
    auto x = static_cast<unsigned char>(c);
    thirds_by_bytes += cost_of(x);
    words += !is_space(x) && !in_word;
    in_word = !is_space(x);
  }
  auto tokens = (std::max(thirds_by_bytes, 4 * words) + 2) / 3;
  return static_cast<uint32_t>(std::min<uint64_t>(tokens, std::numeric_limits<uint32_t>::max()));
}

} // namespace scratchpage
