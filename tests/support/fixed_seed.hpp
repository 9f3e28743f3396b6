#pragma once

#include <cstdlib>

#include <boost/test/unit_test.hpp>

/// Fixes RapidCheck's seed. Include this header in a test program that checks properties, so that
/// every run draws the same examples, unless the environment sets RC_PARAMS.

namespace scratchpage::test {

struct fixed_seed {
  fixed_seed() { ::setenv("RC_PARAMS", "seed=20251105 max_success=300", 0); }
};

BOOST_TEST_GLOBAL_FIXTURE(fixed_seed);

} // namespace scratchpage::test
