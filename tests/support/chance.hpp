#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>

namespace scratchpage::test {

/// The random generator of a test: the same seed gives the same choices.
class chance {
public:
  explicit chance(uint64_t seed)
    : random_{seed} {}

  /// From 0 to n - 1.
  uint64_t below(uint64_t n) { return random_() % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }
  /// True with a probability of `n` percent.
  bool percent(uint64_t n) { return below(100) < n; }

  template <class T>
  T any_of(std::initializer_list<T> xs) {
    return xs.begin()[below(xs.size())];
  }

private:
  std::mt19937_64 random_;
};

} // namespace scratchpage::test
