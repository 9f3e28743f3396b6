#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scratchpage {

struct feature_limits {
  static constexpr size_t text_bytes = 2'048; ///< of a text that are read
  static constexpr size_t features = 2'048;   ///< of one text
};

/// What a classifier sees of a text: its words, the pairs and triples of neighbouring words, how
/// the text begins and ends, and for scripts without spaces the characters and pairs of them. All
/// numbers look alike. Each feature is there once, in no particular order.
std::vector<std::string> text_features(std::string_view text);

} // namespace scratchpage
