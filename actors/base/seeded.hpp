#pragma once

#include <cstdint>
#include <string_view>

/// Pseudo-random numbers that depend on their seed alone: they are the same on every machine.

namespace scratchpage {

/// Spreads every bit of `x` over all 64 (the finaliser of splitmix64).
constexpr uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Mixes `text` into `seed`. Mixing in "ab" and "c" gives another value than "a" and "bc".
constexpr uint64_t mix(uint64_t seed, std::string_view text) {
  for (auto c : text)
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3; // as FNV-1a does
  return mix(seed ^ text.size());
}

/// A sequence of numbers that depends on its seed alone.
class seeded_sequence {
public:
  explicit constexpr seeded_sequence(uint64_t seed)
    : state_{seed} {}

  constexpr uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    return mix(state_);
  }

  /// The next number as one in [0, bound). `bound` is at least 1.
  constexpr uint64_t below(uint64_t bound) { return next() % bound; }

private:
  uint64_t state_;
};

} // namespace scratchpage
