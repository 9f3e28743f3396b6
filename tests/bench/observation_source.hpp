#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "scratchpage/messages/observation.hpp"

namespace scratchpage::bench {

/// Makes observations as agents write them, the same ones for the same seed: a
/// sentence of some 80 letters with words of Zipf's distribution, in every
/// fourth a number of its own, three of 200 tags, a turn for every 8 and a goal
/// for every 10 observations, deadlines all different.
class observation_source {
public:
  explicit observation_source(uint32_t seed = 1);

  /// Number n is made n ms after the epoch.
  observation make(uint64_t number);

  const std::vector<std::string>& tags() const { return tags_; }
  /// From the most frequent to the rarest.
  const std::vector<std::string>& words() const { return words_; }

  /// What the caller brought: bytes of content, tags and context.
  static size_t payload(const observation& x);

private:
  /// Mostly small numbers, the n-th about n times as rare as the first.
  size_t zipf(size_t below);
  std::string sentence(uint64_t number);

  std::mt19937 random_;
  std::vector<std::string> words_;
  std::vector<std::string> tags_;
};

} // namespace scratchpage::bench
