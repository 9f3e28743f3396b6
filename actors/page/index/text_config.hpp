#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

/// English function and question words: they stand in most sentences and tell
/// nothing about their subject.
std::vector<std::string> default_stop_words();

/// How text is taken apart and ranked.
struct text_config {
  std::vector<std::string> stop_words = default_stop_words(); ///< lower case, not stemmed
  std::string language = "english"; ///< a Snowball stemmer; unknown: words stay as they are
  double k1 = 1.2;                  ///< BM25: how much repetition counts, above 0
  double b = 0.75;                  ///< BM25: how much length counts against, 0 to 1
  uint64_t cached_words = 8192;     ///< words whose stem is remembered

  static constexpr auto fields(auto all) {
    using self = text_config;
    return all(optional("stop_words", &self::stop_words), optional("language", &self::language),
      optional("k1", &self::k1), optional("b", &self::b),
      optional("cached_words", &self::cached_words));
  }
};

} // namespace scratchpage
