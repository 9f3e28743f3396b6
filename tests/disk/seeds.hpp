#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace scratchpage::test {

/// The seeds that a test of random histories uses.
struct seed_range {
  uint64_t first = 1;
  uint64_t last = 1;
};

/// A share of 1/`parts` of all seeds: these are 1 000, or as many as SCRATCHPAGE_DISK_SEEDS says.
/// If SCRATCHPAGE_SEED is set, only that seed.
inline seed_range seeds_of_one_in(uint64_t parts) {
  auto number = [](const char* name, uint64_t otherwise) -> uint64_t {
    const auto* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  };
  if (auto one = number("SCRATCHPAGE_SEED", 0); one != 0)
    return {one, one};
  return {1, std::max<uint64_t>(1, number("SCRATCHPAGE_DISK_SEEDS", 1'000) / parts)};
}

} // namespace scratchpage::test
