#pragma once

#include <cstddef>
#include <string_view>

#include "scratchpage/messages/text/keyed_hash.hpp"

namespace scratchpage {

/// A text with its hash, so that one that is looked up often is hashed once.
struct text_key {
  std::string_view text;
  size_t hash;

  explicit text_key(std::string_view x)
    : text{x},
      hash{keyed_hash(x)} {}
};

/// Hash and equality for dictionaries of texts that are asked without building
/// a std::string. The texts come from outside, and who sends them cannot know their hashes.
struct text_hash {
  using is_transparent = void;
  using is_avalanching = void;

  size_t operator()(const text_key& x) const { return x.hash; }
  size_t operator()(std::string_view x) const { return keyed_hash(x); }
};

struct text_equal {
  using is_transparent = void;

  bool operator()(const text_key& a, std::string_view b) const { return a.text == b; }
  bool operator()(std::string_view a, const text_key& b) const { return a == b.text; }
  bool operator()(std::string_view a, std::string_view b) const { return a == b; }
};

/// Mixes two hashes; the order matters.
constexpr size_t mix(size_t a, size_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ull;
  return a ^ (a >> 32);
}

} // namespace scratchpage
