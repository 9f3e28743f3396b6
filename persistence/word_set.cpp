#include "scratchpage/persistence/word_set.hpp"

#include <algorithm>
#include <utility>

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

} // namespace

std::vector<std::string> word_set_of(std::string_view text) {
  std::vector<std::string> result;
  auto from = text.begin();
  while ((from = std::find_if(from, text.end(), is_word_byte)) != text.end()) {
    auto to = std::find_if_not(from, text.end(), is_word_byte);
    std::transform(from, to, std::back_inserter(result.emplace_back()), to_lower);
    from = to;
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

size_t count_shared(std::span<const std::string> a, std::span<const std::string> b) {
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

} // namespace scratchpage
