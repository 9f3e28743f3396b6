#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "scratchpage/messages/observation.hpp"

namespace scratchpage::bench {

/// Creates realistic observations; the same seed gives the same ones. Each has a sentence of
/// about 80 letters with words of Zipf's distribution (every fourth also a unique number),
/// three of 200 tags, and a different deadline. A turn has 8 observations, a goal 10.
class observation_source {
public:
  explicit observation_source(uint32_t seed = 1);

  /// Creates observation `number`, with the creation time `number` ms after the epoch.
  observation make(uint64_t number);

  const std::vector<std::string>& tags() const { return tags_; }
  /// The words, from the most frequent to the rarest.
  const std::vector<std::string>& words() const { return words_; }

  /// The bytes that the caller provided: content, tags and context.
  static size_t payload(const observation& x);

private:
  /// A random number below `below`, mostly small: the n-th is about n times as rare as the first.
  size_t zipf(size_t below);
  std::string sentence(uint64_t number);

  std::mt19937 random_;
  std::vector<std::string> words_;
  std::vector<std::string> tags_;
};

} // namespace scratchpage::bench
