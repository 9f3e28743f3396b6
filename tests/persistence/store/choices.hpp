#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>

namespace scratchpage::test {

/// The random choices of a history.
class choices {
public:
  explicit choices(uint64_t seed)
    : random_{seed} {}

  uint64_t below(uint64_t n) { return random_() % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }

  std::string any_of(std::initializer_list<const char*> xs) { return xs.begin()[below(xs.size())]; }

  /// One of a few texts, so that names collide.
  std::string text() {
    return any_of({"a", "B", "it's", "\u00fc", "\"q\"", "a\nb", "%_", "$1", "a b", "null"});
  }

private:
  std::mt19937_64 random_;
};

} // namespace scratchpage::test
